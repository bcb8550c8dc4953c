import * as sdk from "openclaw/plugin-sdk/plugin-entry";

export const name = `${typeof sdk.newThing} ${sdk.otherThing?.()} ${typeof sdk.definePluginEntry}`;
export function register() {}
