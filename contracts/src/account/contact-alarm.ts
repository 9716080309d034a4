/**
 * How many reports the searches by email and phone of all accounts may find in a day (UTC) before all admins are
 * emailed. Fifty accounts in good standing that try ten thousand likely mailboxes find a hundred people: admins know
 * before a third of them is found. A merchant who looks up customers finds one now and then.
 */
export const MOST_CONTACTS_FOUND = 25;
