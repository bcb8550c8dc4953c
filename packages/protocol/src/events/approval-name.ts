/** Name of the event that shows an approval request in a streamed completion. */
export const APPROVAL_EVENT = "approval";
