export { openDeviceKey } from "./device/file.js";
