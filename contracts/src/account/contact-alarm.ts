/**
 * Number of reports that the email and phone searches of all accounts may find in a day (UTC) before all admins
 * are emailed. Fifty accounts in good standing that try ten thousand likely mailboxes find a hundred people, so
 * admins know before a third of them are found. A merchant who looks up customers finds one now and then.
 */
export const MAX_CONTACTS_FOUND = 25;
