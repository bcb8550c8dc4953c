import { computed } from "@preact/signals";
import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { openRuns } from "../../state/runs.js";
import { text } from "./messages.js";

/** Place of the runs, with the number that is running. */
export const runsPlace: Place = {
  ...{ name: text.title, path: "/runs", route: "/runs/*?", key: "r", icon: "runs" },
  count: computed(() => ({
    number: openRuns.value?.filter(({ state }) => state === "running").length ?? 0,
    state: "running",
  })),
  view: lazyView(() => import("./view.js").then(({ RunsView }) => RunsView)),
};
