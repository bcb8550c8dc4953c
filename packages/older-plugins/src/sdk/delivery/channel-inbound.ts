export { logInboundDrop } from "../access/channel-feedback.js";
