import { createPigeon } from "openclaw/plugin-sdk/carrier-pigeons";

export function register() {
  createPigeon();
}
