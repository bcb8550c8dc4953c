import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Plugins" });

/** Place of the plugins. */
export const pluginsPlace: Place = {
  ...{ name: text.title, path: "/plugins", route: "/plugins", key: "p", icon: "plugins" },
  group: "control",
  view: lazyView(() => import("./view.js").then(({ PluginsView }) => PluginsView)),
};
