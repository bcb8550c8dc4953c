import { createPersistentDedupe } from "openclaw/plugin-sdk/persistent-dedupe";

export function register() {
  createPersistentDedupe();
}
