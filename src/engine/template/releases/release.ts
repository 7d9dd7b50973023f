const NUMBER = "(?:0|[1-9][0-9]{0,14})";
const IDENTIFIER = "(?:0|[1-9][0-9]{0,14}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";

/** A release in full, such as `1.4.0` or `2.0.0-rc.1`, without a leading `v` and without build metadata. */
export const RELEASE = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${IDENTIFIER}(?:\\.${IDENTIFIER})*)?$`,
);
