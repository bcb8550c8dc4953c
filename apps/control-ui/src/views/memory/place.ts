import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Memory" });

/** Place of the memory. */
export const memoryPlace: Place = {
  ...{ name: text.title, path: "/memory", route: "/memory", key: "e", icon: "sessions" },
  group: "agents",
  view: lazyView(() => import("./view.js").then(({ MemoryView }) => MemoryView)),
};
