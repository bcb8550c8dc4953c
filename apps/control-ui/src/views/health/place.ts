import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Health" });

/** Place of the health of the gateway. */
export const healthPlace: Place = {
  ...{ name: text.title, path: "/health", route: "/health", key: "h", icon: "approvals" },
  group: "system",
  view: lazyView(() => import("./view.js").then(({ HealthView }) => HealthView)),
};
