import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Models" });

/** Place of the models. */
export const modelsPlace: Place = {
  ...{ name: text.title, path: "/models", route: "/models", key: "m", icon: "more" },
  group: "agents",
  view: lazyView(() => import("./view.js").then(({ ModelsView }) => ModelsView)),
};
