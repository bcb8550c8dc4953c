import { computed } from "@preact/signals";
import type { Place } from "../../shell/place.js";
import { waiting } from "../../state/approvals.js";
import { text } from "./messages.js";
import { ApprovalsView } from "./view.js";

/** Place of the approvals, with the number that waits. */
export const approvalsPlace: Place = {
  ...{ name: text.title, path: "/approvals", route: "/approvals/*?", view: ApprovalsView },
  ...{ key: "a", icon: "approvals" },
  count: computed(() => ({ number: waiting.value.length, state: "approval" })),
};
