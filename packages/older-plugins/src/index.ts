export { type AdapterServices, ChannelAdapters } from "./channels/adapters.js";
