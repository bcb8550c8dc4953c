import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Policy" });

/** Place of the policy of tools. */
export const policyPlace: Place = {
  ...{ name: text.title, path: "/policy", route: "/policy", key: "y", icon: "policy" },
  group: "control",
  view: lazyView(() => import("./view.js").then(({ PolicyView }) => PolicyView)),
};
