export { instrumentModule } from "../fuel/instrumentation.js";
export { buildChannel, type ChannelText } from "./channel-builder.js";
export {
  buildTool,
  coreModule,
  embed,
  hostImportsOf,
  literal,
  type ToolText,
  witOf,
} from "./component-builder.js";
export {
  type ComponentCall,
  ComponentTest,
  type FakeHost,
  openComponent,
} from "./component-test.js";
