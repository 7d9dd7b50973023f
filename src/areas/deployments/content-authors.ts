/** The authors of a deployment's content: in the mode `always` they may not approve it. Pure. */
import { authorsSince } from "#kernel/access/authors.ts";
import type { Authors, Content, Taken } from "#schema/authors.ts";

export interface Contents {
  /** The contents that were deployed last. */
  deployed: Taken;
  /** The rows whose content the deployment takes. A version's authors always count. */
  version?: { authors: Authors } | undefined;
  instance?: { authors: Authors } | undefined;
  profile?: { id: string; version: number; authors: Authors } | undefined;
  target: { version: number; authors: Authors };
}

/** The authors, each with one content that they wrote since its last deployment. */
export function contentAuthors(contents: Contents): { [person: string]: Content } {
  const { deployed, version, instance, profile, target } = contents;
  const knownProfile = deployed.profile?.id === profile?.id ? deployed.profile?.version : 0;
  const of = (content: Content, authors: Authors | undefined, since = 0) =>
    authorsSince(authors ?? {}, since).map((person) => [person, content] as const);
  // Of several contents of one author, the last in this list is kept.
  return Object.fromEntries([
    ...of("target", target.authors, deployed.target),
    ...of("profile", profile?.authors, knownProfile),
    ...of("instance", instance?.authors, deployed.instance),
    ...of("version", version?.authors),
  ]);
}
