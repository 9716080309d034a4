export { ConfirmEmailChangePage } from "./ConfirmEmailChangePage.tsx";
export { ForgotPasswordPage } from "./ForgotPasswordPage.tsx";
export { LoginPage } from "./LoginPage.tsx";
export { ProfilePage } from "./ProfilePage.tsx";
export { RegisterPage } from "./RegisterPage.tsx";
export { ResetPasswordPage } from "./ResetPasswordPage.tsx";
export { SignInLinkPage } from "./SignInLinkPage.tsx";
export { UndoEmailChangePage } from "./UndoEmailChangePage.tsx";
