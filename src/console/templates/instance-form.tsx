/** Creates an instance of a version: its name, target and variables. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { TargetView } from "#areas/cloud-targets/contract.ts";
import { createInstanceEndpoint } from "#areas/instances/contract.ts";
import type { TemplateVersionWithSource } from "#areas/templates/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import { type Reader, tenantName, tenantsOf } from "#console/reader.ts";
import { schemaFields } from "#console/schema-fields.ts";
import { tenantField } from "#console/tenant-field.ts";

type Target = z.output<typeof TargetView>;

export function InstanceForm(shown: {
  reader: Reader;
  version: z.output<typeof TemplateVersionWithSource>;
  targets: readonly Target[];
  hasMoreTargets: boolean;
}): JSX.Element {
  const { reader, version, hasMoreTargets } = shown;
  const { templateId, version: templateVersion, tenantId } = version;
  const targets = shown.targets.filter(
    (target) => tenantId === null || target.tenantId === null || target.tenantId === tenantId,
  );
  // An instance belongs to a tenant, never to the platform.
  const tenants = tenantId === null ? tenantField(reader, createInstanceEndpoint) : [];
  if (targets.length === 0)
    return (
      <p class="note">
        There is no target to deploy to yet: <a href="/targets">add one</a> first.
      </p>
    );
  return (
    <ActForm
      method="POST"
      path="/instances"
      words="Make the instance"
      tone="main"
      then={{ goTo: "/instances/{id}" }}
      body={{ templateId, templateVersion, ...(tenantId !== null && { tenantId }), variables: {} }}
      fields={[
        {
          name: "name",
          words: "Name of the instance",
          isRequired: true,
          maxLength: 80,
          hint: "Nothing is made at the cloud before you plan and deploy it.",
        },
        ...tenants,
        {
          name: "targetId",
          words: "Target",
          kind: "choice",
          isRequired: true,
          ...(hasMoreTargets && { hint: "The first 100 by name." }),
          choices: [
            { value: "", words: "choose" },
            ...targets.map((target) => ({ value: target.id, words: wordsOf(target, reader) })),
          ],
        },
        ...schemaFields("variables", version.config),
      ]}
    />
  );
}

function wordsOf({ name, provider, environment, tenantId }: Target, reader: Reader): string {
  const owner = tenantId === null ? "the platform" : tenantName(reader, tenantId);
  const isWorthSaying = tenantId === null || tenantsOf(reader).length > 1;
  return [
    name,
    provider,
    environment,
    ...(isWorthSaying && owner !== undefined ? [owner] : []),
  ].join(", ");
}
