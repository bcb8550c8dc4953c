import { valueAt } from "../../components/schema-form/form-state.js";
import { isRecord } from "../../components/schema-form/schema.js";
import { form } from "../settings/settings.js";

/** Person with the rights of the operator, as the settings name them. */
export interface Owner {
  readonly channel: string;
  readonly senderId: string;
}

/** Returns the owners of channels; empty before the settings were read, or when the token may not see them. */
export function owners(): readonly Owner[] {
  const sections = valueAt(form.stored.value, ["channels"]);
  return Object.entries(isRecord(sections) ? sections : {}).flatMap(([channel, section]) => {
    const accounts = valueAt(section, ["accounts"]);
    const ids = [section, ...Object.values(isRecord(accounts) ? accounts : {})].flatMap((part) => {
      const listed = valueAt(part, ["owners"]);
      return Array.isArray(listed) ? listed.map(String) : [];
    });
    return [...new Set(ids)].map((senderId) => ({ channel, senderId }));
  });
}
