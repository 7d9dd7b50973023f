/** Rights: one member of one role on one object. `iam-members.ts` makes their calls. */
import type { PropertyFacts } from "#providers/provider.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";

/** How a service reads and writes the policy of its objects. */
export interface PolicyCalls {
  host: string;
  /** Before `:getIamPolicy` and `:setIamPolicy`, with the object's id in `{}`. */
  path: string;
  read: "GET" | "POST";
  /** The property that names the object; absent: the project. */
  on?: string;
  /** The type of that object. */
  type?: string;
  /** Cloud Storage puts the policy itself at one path. */
  put?: true;
}

export const policies: Readonly<Record<string, PolicyCalls>> = {
  "cloudresourcemanager/ProjectIamMember": {
    host: "cloudresourcemanager",
    path: "/v3/{}",
    read: "POST",
  },
  "run/ServiceIamMember": {
    host: "run",
    path: "/v2/{}",
    read: "GET",
    on: "service",
    type: "run/Service",
  },
  "storage/BucketIamMember": {
    host: "storage",
    path: "/storage/v1/b/{}/iam",
    read: "GET",
    on: "bucket",
    type: "storage/Bucket",
    put: true,
  },
  "secretmanager/SecretIamMember": {
    host: "secretmanager",
    path: "/v1/{}",
    read: "GET",
    on: "secret",
    type: "secretmanager/Secret",
  },
  "iam/ServiceAccountIamMember": {
    host: "iam",
    path: "/v1/{}",
    read: "POST",
    on: "serviceAccount",
    type: "iam/ServiceAccount",
  },
};

const text = (description: string): PropertyFacts => ({ description, type: "string" });

function memberRow({ host, on, type = "" }: PolicyCalls): RestType {
  return {
    description: `A right: one member of one role of ${on === undefined ? "the project" : `a ${on}`}.`,
    host,
    path: "/",
    id: { known: `${on === undefined ? "project" : `{+${on}}`} {role} {member}` },
    update: "none",
    takes: {
      properties: {
        ...(on === undefined ? {} : { [on]: text(`The id of the ${on}.`) }),
        role: text("The role, as in `roles/run.invoker`."),
        member: text("Who has it, as in `serviceAccount:shop@project.iam.gserviceaccount.com`."),
      },
      required: [...(on === undefined ? [] : [on]), "role", "member"],
    },
    outputs: ["id"],
    // Nobody can tell whose objects a right of the project leads to.
    refers: on === undefined ? { role: "any" } : { [on]: type },
  };
}

export function iamMemberRows(): RestRows {
  return Object.fromEntries(
    Object.entries(policies).map(([name, calls]) => [name, memberRow(calls)]),
  );
}
