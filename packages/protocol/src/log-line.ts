import { Type } from "typebox";

/** Line of the log. */
export const logLine = Type.Object(
  {
    time: Type.Number({ description: "Milliseconds since the epoch." }),
    level: Type.String(),
    msg: Type.String(),
    fields: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: "LogLine" },
);
