export { ConfirmEmailChangePage, SignInLinkPage, UndoEmailChangePage } from "./LinkPages.tsx";
export { LoginPage } from "./LoginPage.tsx";
export { ProfilePage } from "./ProfilePage.tsx";
export { RegisterPage } from "./RegisterPage.tsx";
export { ForgotPasswordPage, ResetPasswordPage } from "./ResetPasswordPage.tsx";
