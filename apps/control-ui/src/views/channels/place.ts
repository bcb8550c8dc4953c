import { computed } from "@preact/signals";
import { lazyView } from "../../components/lazy-view.js";
import type { Place } from "../../shell/place.js";
import { waitingSenders } from "../../state/host.js";
import { catalogue } from "../../text/catalogue.js";

const text = catalogue({ title: "Channels" });

/** Place of channels, people and devices, with the number of people who wait. */
export const channelsPlace: Place = {
  ...{ name: text.title, path: "/channels", route: "/channels", key: "t", icon: "channels" },
  group: "agents",
  count: computed(() => ({ number: waitingSenders.value, state: "approval" })),
  view: lazyView(() => import("./view.js").then(({ ChannelsView }) => ChannelsView)),
};
