import { HELLO, paragraphs, type ShippedTemplate, WHEN } from "./shipped-template.ts";

/** Mails to an account about its password, address and end. */
export const accountTemplates = {
  account_confirmation: {
    subject: "Confirm your email address for {{ product_name }}",
    body: paragraphs(
      "Hello,",
      "Someone created an account at {{ product_name }} with this email address. If it was you, confirm your address with the link below. On a device where you aren't signed in, we'll ask for the password you chose.",
    ),
    warning:
      "The link works once, within 24 hours. If you didn't create an account, you can ignore this email: we'll delete the account after 30 days unless the address is confirmed.",
    action: "Confirm my email address",
  },
  registration_attempted: {
    subject: "You have an account at {{ product_name }}",
    body: paragraphs(
      HELLO,
      "Somebody tried to make an account with this address. You have one already: sign in to it, or ask for a new password on the same page.",
    ),
    warning: "If it was not you, there is nothing to do. Nobody got into your account.",
    action: "Sign in",
  },
  password_reset: {
    subject: "Set a new password for {{ product_name }}",
    body: paragraphs(
      HELLO,
      "Somebody asked for a link to set a new password for the account with this address. With the new password all sessions of the account end.",
    ),
    warning:
      "The link works once, within an hour. If you did not ask for it, you can ignore this mail: your password stays as it is.",
    action: "Set a new password",
  },
  password_changed: {
    subject: "Your password for {{ product_name }} was changed",
    body: paragraphs(
      HELLO,
      `The password of your account was changed${WHEN}. Other sessions of the account have ended.`,
    ),
    warning:
      "If it was not you, set a new password at once: the link for it comes to this address.",
    action: "It was not me",
  },
  account_deleted: {
    subject: "Your {{ product_name }} account will be deleted",
    body: paragraphs(
      HELLO,
      `We received a request to delete your account${WHEN} and signed you out everywhere. We'll permanently delete your profile and your files {{ erased }}. Reports you submitted stay published, without your name and address.`,
      "Changed your mind? Sign in before then with your usual password, and we'll keep your account.",
    ),
    warning:
      "If you didn't ask for this, sign in to keep your account, then change your password in your account settings.",
    action: "Sign in",
  },
  account_kept: {
    subject: "Your {{ product_name }} account won't be deleted",
    body: paragraphs(
      HELLO,
      `You signed in${WHEN}, so we canceled the deletion of your account. Everything in it is still there.`,
    ),
    warning: "If you didn't sign in, set a new password: that signs everyone out of your account.",
    action: "Set a new password",
  },
  /** To a former address, which can still undo the change of address. */
  account_deleted_undo: {
    subject: "The account at {{ product_name }} that had your address was deleted",
    body: paragraphs(
      HELLO,
      `The account that recently had this address was deleted${WHEN}. We'll permanently delete what it holds {{ erased }}.`,
    ),
    warning:
      "If it was you, there is nothing to do. If it was not, take your account back with the link before then: it gets this address again, and you set a new password. The link works once.",
    action: "It was not me",
  },
  new_device: {
    subject: "New sign-in to {{ product_name }}",
    body: paragraphs(
      HELLO,
      `Somebody signed in to your account${WHEN}, with its password, from a browser that was not used for it before. Your account settings show which one, and end its session.`,
    ),
    warning: "If it was not you, change your password there.",
    action: "Open account settings",
  },
  /** While strangers' attempts block new browsers. */
  sign_in_link: {
    subject: "Sign in to {{ product_name }} from a new device",
    body: paragraphs(
      "Hello,",
      "Somebody tried many passwords for your account, from devices that we do not know. Until that stops, a new device needs this link before your password is looked at. Open it on the device from which you want to sign in. Devices on which you signed in before need none.",
    ),
    warning:
      "The link works once, within 24 hours. If you do not want to sign in, you can ignore this mail: nobody gets in without your password.",
    action: "Use this device",
  },
  /** To the new address. */
  email_change: {
    subject: "Confirm your new email address for {{ product_name }}",
    body: paragraphs(
      "Hello,",
      "Somebody wants to use this address for their account at {{ product_name }}. If it was you, open the link where you are signed in to the account.",
    ),
    warning:
      "The link works once, within 24 hours. If it was not you, you can ignore this mail: nothing happens without you.",
    action: "Use this address",
  },
  /** To the present address. */
  email_change_warning: {
    subject: "Another email address for your account at {{ product_name }}",
    body: paragraphs(
      HELLO,
      `Somebody who knows your password asked to use another email address for your account${WHEN}. Your account keeps this address until the other one is confirmed.`,
    ),
    warning:
      "If it was not you, set a new password at once: that ends all sessions and stops the change.",
    action: "It was not me",
  },
  /** To the former address, which can undo it. */
  email_changed: {
    subject: "Your email address for {{ product_name }} was changed",
    body: paragraphs(
      HELLO,
      `Your account uses another email address now${WHEN}. Mails about it go there from now on.`,
    ),
    warning:
      "If it was not you, take your account back with the link. It works once, within a week: your account gets this address again, all sessions end, and you set a new password.",
    action: "It was not me",
  },
} as const satisfies Readonly<Record<string, ShippedTemplate>>;
