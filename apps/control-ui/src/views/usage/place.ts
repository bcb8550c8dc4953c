import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Usage" });

/** Place of the usage. */
export const usagePlace: Place = {
  ...{ name: text.title, path: "/usage", route: "/usage", key: "u", icon: "usage" },
  group: "system",
  view: lazyView(() => import("./view.js").then(({ UsageView }) => UsageView)),
};
