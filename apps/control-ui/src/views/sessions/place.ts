import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { text } from "./messages.js";

/** Place of the sessions. */
export const sessionsPlace: Place = {
  ...{ name: text.title, path: "/sessions", route: "/sessions", key: "s", icon: "sessions" },
  group: "agents",
  view: lazyView(() => import("./view.js").then(({ SessionsView }) => SessionsView)),
};
