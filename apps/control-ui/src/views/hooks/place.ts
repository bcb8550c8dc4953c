import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Hooks" });

/** Place of the hooks. */
export const hooksPlace: Place = {
  ...{ name: text.title, path: "/hooks", route: "/hooks", key: "k", icon: "runs" },
  group: "control",
  view: lazyView(() => import("./view.js").then(({ HooksView }) => HooksView)),
};
