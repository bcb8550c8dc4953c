import { DEVICE_SCOPES } from "@openclaw/protocol/device";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

type DeviceScope = (typeof DEVICE_SCOPES)[number];

/**
 * Adds `openclaw devices`: devices that connect with a key instead of a token.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeDeviceCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const devices = program
    .command("devices")
    .description("approve, revoke and list the devices that connect with a key");
  const commands = () => import("./commands.js");
  const reference = "code that the device shows, or its fingerprint from `devices list`";
  devices
    .command("list")
    .description("list the devices that wait for an approval, and those with a decision")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await commands()).listDevicesCommand(options, context));
    });
  devices
    .command("approve")
    .description("let a device connect with its key")
    .argument("<device>", reference)
    .addOption(
      new Option(
        "--scope <scope>",
        `right of the device: ${DEVICE_SCOPES.join(", ")} (repeatable; default: the first two)`,
      ).argParser(collectScope),
    )
    .option("--json", "print the device as JSON")
    .addHelpText("after", "\nExit codes: 0 approved, 3 approved before, 4 no such device.")
    .action(async (device, options) => {
      end(await (await commands()).approveDeviceCommand(device, options, context));
    });
  devices
    .command("reject")
    .description("reject the request of a device, which cannot ask again for 24 hours")
    .argument("<device>", reference)
    .option("--json", "print the device as JSON")
    .addHelpText("after", "\nExit codes: 0 rejected, 3 it does not wait, 4 no such device.")
    .action(async (device, options) => {
      end(await (await commands()).rejectDeviceCommand(device, options, context));
    });
  devices
    .command("revoke")
    .description("close the connections of a device, and reject its further ones")
    .argument("<device>", reference)
    .option("--json", "print the device as JSON")
    .addHelpText("after", "\nExit codes: 0 revoked, 3 it is not approved, 4 no such device.")
    .action(async (device, options) => {
      end(await (await commands()).revokeDeviceCommand(device, options, context));
    });
  devices
    .command("rename")
    .description("change the name of a device")
    .argument("<device>", reference)
    .argument("<name>", "new name, one line")
    .option("--json", "print the device as JSON")
    .addHelpText("after", "\nExit codes: 0 renamed, 4 no such device.")
    .action(async (device, name, options) => {
      end(await (await commands()).renameDeviceCommand(device, name, options, context));
    });
}

function collectScope(text: string, earlier: DeviceScope[] = []): DeviceScope[] {
  const scope = DEVICE_SCOPES.find((each) => each === text || each === `operator.${text}`);
  if (scope === undefined) {
    throw new InvalidArgumentError(`expected one of ${DEVICE_SCOPES.join(", ")}.`);
  }
  return [...earlier.filter((each) => each !== scope), scope];
}
