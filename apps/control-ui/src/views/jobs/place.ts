import { computed } from "@preact/signals";
import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { failedJobs } from "../../state/failed-jobs.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Jobs" });

/** Place of the jobs, with the number of those that failed or are stuck. */
export const jobsPlace: Place = {
  ...{ name: text.title, path: "/jobs", route: "/jobs/*?", key: "j", icon: "runs" },
  group: "work",
  count: computed(() => ({ number: failedJobs.value, state: "failed" })),
  view: lazyView(() => import("./view.js").then(({ JobsView }) => JobsView)),
};
