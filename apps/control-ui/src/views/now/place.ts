import type { Place } from "../../shell/place.js";
import { text } from "./messages.js";
import { NowView } from "./view.js";

/** Place of the first view. */
export const nowPlace: Place = {
  ...{ name: text.title, path: "/", route: "/", view: NowView, key: "n", icon: "now" },
};
