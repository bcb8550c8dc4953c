export { runClaudeBridge } from "./bridge/claude/start.js";
