/**
 * Tables of the plugins context. Times are milliseconds since the epoch; `value` is JSON.
 */
export interface PluginSchema {
  plugin_values: PluginValueColumns;
}

export interface PluginValueColumns {
  plugin_id: string;
  key: string;
  value: string;
  updated_at: number;
}
