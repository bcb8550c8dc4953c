import { type BackgroundTasks, defined, nearestName, type TaskState } from "@openclaw/foundation";
import { taskMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import { TaskNotFoundError } from "../errors.js";

/** Creates the methods of the background tasks of the host (HOST-024). */
export function createTaskMethods(
  tasks: Pick<BackgroundTasks, "list" | "pause" | "resume" | "runNow">,
): MethodRegistry<typeof taskMethods> {
  const known = (name: string, state: TaskState | undefined) => {
    if (state !== undefined) return defined({ ...state });
    throw new TaskNotFoundError(
      name,
      nearestName(
        name,
        tasks.list().map((task) => task.name),
      ),
    );
  };
  return MethodRegistry.of(taskMethods, {
    "tasks.list": async () => ({ tasks: tasks.list().map((state) => defined({ ...state })) }),
    "tasks.pause": async ({ name }) => known(name, await tasks.pause(name)),
    "tasks.resume": async ({ name }) => known(name, await tasks.resume(name)),
    "tasks.run": async ({ name }) => known(name, await tasks.runNow(name)),
  });
}
