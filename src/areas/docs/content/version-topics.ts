import type { Topic } from "./topic.ts";

/** The promises to clients, and the announcement of changes (RFC 9745, RFC 8594). */
export const versionTopics: readonly Topic[] = [
  {
    id: "version-in-the-path",
    title: "The major version is in the path",
    text: "`/api/v1` stays compatible for as long as it is served. What is not compatible gets a new path, and both are served side by side.\n\nThe document's `info.version` is the version of the installed release. Two installations with the same version answer alike.",
  },
  {
    id: "version-additions",
    title: "What may change in a version",
    text: "New endpoints, new optional request fields and parameters, new fields in answers, new headers, new kinds of events, new values of fields that are not marked as closed lists, new error codes in `errors`. A text for people (`detail`, `title`, log messages) may be worded otherwise at any time.\n\nSo a client ignores fields and events that it does not know, decides by `code` and not by `detail`, follows `nextCursor` and `Location` without taking them apart, and treats ids as text.",
  },
  {
    id: "version-stays",
    title: "What does not change in a version",
    text: "Paths, methods and names; the meaning and type of a field; what a request without a new field does; the meaning of an error code and its status; the signature of webhooks; the order of a list without `sort`.\n\nRequests are checked strictly: a field or parameter that does not exist is refused, so that a new one never changes what an old request meant.",
  },
  {
    id: "version-deprecation",
    title: "How something is taken away",
    text: 'An endpoint that will be removed answers with `Deprecation` (RFC 9745), the time since which it should not be used, with `Sunset` (RFC 8594), the time of its removal, at least six months later, and with `Link: rel="deprecation"`, where to read what to use in its place. After its removal it answers 404. The document marks it with `deprecated: true`.',
  },
];
