import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Settings" });

/** Place of the settings. */
export const settingsPlace: Place = {
  ...{ name: text.title, path: "/settings", route: "/settings/*?", key: ",", icon: "settings" },
  group: "system",
  view: lazyView(() => import("./view.js").then(({ SettingsView }) => SettingsView)),
};
