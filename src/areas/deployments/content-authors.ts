/** Whose content a deployment takes: under `always` they do not approve it. Pure. */
import { authorsSince } from "#kernel/access/authors.ts";
import type { Authors, Content, Taken } from "#schema/authors.ts";

export interface Contents {
  /** The contents that were deployed last. */
  deployed: Taken;
  /** The rows that the deployment takes content of. A version's authors always count. */
  version?: { authors: Authors } | undefined;
  instance?: { authors: Authors } | undefined;
  profile?: { id: string; version: number; authors: Authors } | undefined;
  target: { version: number; authors: Authors };
}

/** The persons, each with one of the contents that they wrote since it was deployed last. */
export function contentAuthors(contents: Contents): { [person: string]: Content } {
  const { deployed, version, instance, profile, target } = contents;
  const knownProfile = deployed.profile?.id === profile?.id ? deployed.profile?.version : 0;
  const of = (content: Content, authors: Authors | undefined, since = 0) =>
    authorsSince(authors ?? {}, since).map((person) => [person, content] as const);
  // The last one counts.
  return Object.fromEntries([
    ...of("target", target.authors, deployed.target),
    ...of("profile", profile?.authors, knownProfile),
    ...of("instance", instance?.authors, deployed.instance),
    ...of("version", version?.authors),
  ]);
}
