import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { text } from "./messages.js";

/** Place of the conversations. */
export const chatPlace: Place = {
  ...{ name: text.title, path: "/chat", route: "/chat/*?", key: "c", icon: "chat" },
  view: lazyView(() => import("./view.js").then(({ ChatView }) => ChatView)),
};
