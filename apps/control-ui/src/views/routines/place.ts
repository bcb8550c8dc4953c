import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Routines" });

/** Place of the routines. */
export const routinesPlace: Place = {
  ...{ name: text.title, path: "/cron", route: "/cron/*?", key: "o", icon: "now" },
  group: "work",
  view: lazyView(() => import("./view.js").then(({ RoutinesView }) => RoutinesView)),
};
