/** `/targets/{id}`: a target with its settings, the state of its credential, and its trust policy. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import {
  deleteTargetEndpoint,
  getTargetEndpoint,
  listProvidersEndpoint,
  updateTargetEndpoint,
  verifyTargetEndpoint,
} from "#areas/cloud-targets/contract.ts";
import { listInstancesEndpoint } from "#areas/instances/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import type { ConsolePage } from "#console/console-page.ts";
import { ActButton, ActNotes, Foldout, Owner, StateTag, Table, Time } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import { data } from "#console/shared/page-names.ts";
import { type Provider, providerWord, type Target } from "./provider-words.ts";
import { targetFields } from "./target-fields.ts";

type Instances = z.output<NonNullable<typeof listInstancesEndpoint.answer.schema>>;

export const targetPage: ConsolePage = {
  path: "/targets/:id",
  load: async (api, { params }) => {
    const [{ answer: target, etag }, providers, instances] = await Promise.all([
      api.readTagged(getTargetEndpoint, params),
      api.read(listProvidersEndpoint),
      api.readIfAny(listInstancesEndpoint, {}, { targetId: params["id"], limit: "20" }),
    ]);
    const provider = providers.data.find(({ name }) => name === target.provider);
    return (reader) => ({
      title: target.name,
      scripts: ["console"],
      body: (
        <>
          <p class="crumbs">
            <Owner reader={reader} tenantId={target.tenantId} /> <a href="/targets">Targets</a>
          </p>
          <div class="row">
            <h1>{target.name}</h1>
            <StateTag state={target.verification} />
          </div>
          <p class="soft">
            {providerWord(target.provider)}, for {target.environment} use;{" "}
            {target.maxConcurrentDeployments} deployments at the same time. See its{" "}
            <a href={`/instances?targetId=${target.id}`}>instances</a> and{" "}
            <a href={`/deployments?targetId=${target.id}`}>deployments</a>.
          </p>
          <Health target={target} />
          <ActNotes />
          <Actions target={target} provider={provider} etag={etag} reader={reader} />
          <h2>Regions</h2>
          <p>
            {target.allowedRegions.includes("*") ? "All" : target.allowedRegions.join(", ")}; by
            default <code>{target.defaultRegion}</code>.
          </p>
          <Trust target={target} />
          <Config target={target} />
          <h2>Instances</h2>
          <InstanceList instances={instances} />
        </>
      ),
    });
  },
};

function Health({ target }: { target: Target }): JSX.Element {
  const { verification, verifiedAt, credentialProblem } = target;
  if (credentialProblem !== null) return <p class="note bad">{credentialProblem}</p>;
  const at = verifiedAt === null ? "" : <Time at={verifiedAt} />;
  if (verification === "VERIFIED") return <p>Its credential worked at {at}.</p>;
  if (verification === "FAILED")
    return <p class="note bad">Its credential did not work at {at}. Verify it to see why.</p>;
  return <p class="note">Its credential was not checked since the last change: verify it.</p>;
}

function Actions(shown: {
  target: Target;
  provider: Provider | undefined;
  etag: string | undefined;
  reader: Reader;
}): JSX.Element {
  const { target, provider, etag, reader } = shown;
  const { id, tenantId, name } = target;
  const path = `/cloud/targets/${id}`;
  return (
    <>
      {may(reader, verifyTargetEndpoint, tenantId) && (
        <ActForm
          method="POST"
          path={`${path}/verify`}
          fields={[]}
          words="Verify the credential"
          tone="main"
          then={{
            intro: "What the provider said:",
            show: {
              message: "Found",
              permission: "Permission that is missing",
              hint: "What to do",
            },
          }}
        />
      )}
      {may(reader, updateTargetEndpoint, tenantId) && provider !== undefined && (
        <Foldout words="Edit">
          <p class="soft">
            Deployments that already exist keep the old values. The provider cannot be changed.
          </p>
          <ActForm
            method="PATCH"
            path={path}
            fields={targetFields(provider, target, tenantId ?? undefined)}
            etag={etag}
            words="Save"
            tone="main"
            isPatch
            then="stay"
          />
        </Foldout>
      )}
      {may(reader, deleteTargetEndpoint, tenantId) && (
        <p class="acts">
          <ActButton
            method="DELETE"
            path={path}
            goTo="/targets"
            words="Delete"
            tone="danger"
            typed={name}
            confirm={`Nothing changes at the provider. Instances and profiles must not refer to ${name} any more.`}
          />
        </p>
      )}
    </>
  );
}

/** The steps to make the provider trust the target's tokens. Empty for a stored credential. */
function Trust({ target: { identity } }: { target: Target }): JSX.Element {
  if (identity === null) return <></>;
  const { issuer, subject, audience, trust } = identity;
  return (
    <>
      <h2>Trust at the provider</h2>
      <p>Its runs identify themselves by tokens of this installation; no credential is stored.</p>
      <ol class="steps">
        {trust.steps.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      {trust.policy !== null && (
        <>
          <h3>Trust policy to paste there</h3>
          <pre {...data({ copy: true })}>{JSON.stringify(trust.policy, null, 2)}</pre>
        </>
      )}
      <Table
        columns={["Member of the token", "Value"]}
        rows={[
          ["Issuer", <code>{issuer}</code>],
          ["Subject", <code>{subject}</code>],
          ["Audience", <code>{audience}</code>],
        ]}
      />
    </>
  );
}

function Config({ target: { config, credentialRef } }: { target: Target }): JSX.Element {
  if (config === null) return <></>;
  const settings = Object.entries(config);
  return (
    <>
      <h2>Settings</h2>
      {credentialRef !== null && (
        <p>
          The credential is stored at <code>{credentialRef}</code>.
        </p>
      )}
      {settings.length === 0 ? (
        <p class="soft">It has none.</p>
      ) : (
        <Table
          columns={["Setting", "Value"]}
          rows={settings.map(([name, value]) => [
            name,
            <code>{typeof value === "string" ? value : JSON.stringify(value)}</code>,
          ])}
        />
      )}
    </>
  );
}

function InstanceList({ instances }: { instances: Instances | null }): JSX.Element {
  if (instances === null || instances.data.length === 0)
    return <p class="soft">None is deployed here.</p>;
  return (
    <>
      <Table
        columns={["Instance", "State", "Drift"]}
        rows={instances.data.map(({ id, name, state, drift }) => [
          <a href={`/instances/${id}`}>{name}</a>,
          <StateTag state={state} />,
          <StateTag state={drift} />,
        ])}
      />
      {instances.nextCursor !== null && <p class="soft">There are more of them.</p>}
    </>
  );
}
