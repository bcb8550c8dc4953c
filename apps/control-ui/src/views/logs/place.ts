import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Logs" });

/** Place of the log. */
export const logsPlace: Place = {
  ...{ name: text.title, path: "/logs", route: "/logs", key: "l", icon: "sessions" },
  group: "system",
  view: lazyView(() => import("./view.js").then(({ LogsView }) => LogsView)),
};
