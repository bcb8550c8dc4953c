import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import type { PluginRuntime } from "@openclaw/plugin-runtime";

/**
 * Returns a diagnostic for each file or setting that prevents a configured hook, with the plugin that reads it.
 * @param plugins - plugins that register sets of hooks
 */
export async function hookFileProblems(
  plugins: Pick<PluginRuntime, "current" | "callPlugin">,
): Promise<readonly PluginDiagnostic[]> {
  const found = await Promise.all(
    plugins.current.hookSets.map(async ({ set, pluginId }) => {
      const { problems } = await plugins.callPlugin(pluginId, async () => await set.list());
      return problems.map(({ source, message, level = "warn" }): PluginDiagnostic => {
        const hint =
          'correct it, or approve its file; "openclaw hooks list" shows what is in force';
        return {
          level,
          code: "hook-file",
          pluginId,
          source,
          message: `${source}: ${message}`,
          hint,
        };
      });
    }),
  );
  return found.flat();
}
