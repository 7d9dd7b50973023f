import {
  aFlag,
  aNumber,
  aText,
  field,
  fields,
  flag,
  group,
  listOf,
  oneOf,
  someTexts,
  text,
  whole,
} from "#providers/rest/fields.ts";
import {
  type RenderRows,
  environmentPart,
  fileParts,
  listedAs,
  patchOf,
  variableParts,
} from "./row-parts.ts";

const SERVICE = "/v1/services/{serviceId}";

export function serviceRows(): RenderRows {
  const yesOrNo = oneOf("yes", "no");
  const ruled = group({ enabled: aFlag, percentage: aNumber }, ["enabled", "percentage"]);
  const details = group({
    autoscaling: group(
      {
        enabled: aFlag,
        min: aNumber,
        max: aNumber,
        criteria: group({ cpu: ruled, memory: ruled }, ["cpu", "memory"]),
      },
      ["enabled", "min", "max", "criteria"],
    ),
    buildCommand: aText,
    cache: group({ profile: oneOf("no-cache", "origin-controlled", "origin-controlled-all") }, [
      "profile",
    ]),
    disk: group({ name: aText, mountPath: aText, sizeGB: aNumber }, ["name", "mountPath"]),
    envSpecificDetails: group({
      buildCommand: aText,
      startCommand: aText,
      dockerCommand: aText,
      dockerContext: aText,
      dockerfilePath: aText,
      registryCredentialId: aText,
    }),
    headers: listOf(group({ path: aText, name: aText, value: aText }, ["path", "name", "value"])),
    healthCheckPath: aText,
    ipAllowList: listOf(
      group({ cidrBlock: aText, description: aText }, ["cidrBlock", "description"]),
    ),
    maintenanceMode: group({ enabled: aFlag, uri: aText }, ["enabled", "uri"]),
    maxShutdownDelaySeconds: aNumber,
    numInstances: aNumber,
    plan: aText,
    preDeployCommand: aText,
    previews: group({ generation: oneOf("off", "manual", "automatic") }),
    publishPath: aText,
    pullRequestPreviewsEnabled: yesOrNo,
    region: oneOf("frankfurt", "oregon", "ohio", "singapore", "virginia"),
    renderSubdomainPolicy: oneOf("enabled", "disabled"),
    routes: listOf(
      group(
        {
          type: oneOf("redirect", "rewrite"),
          source: aText,
          destination: aText,
          priority: aNumber,
        },
        ["type", "source", "destination"],
      ),
    ),
    runtime: oneOf("docker", "elixir", "go", "node", "python", "ruby", "rust", "image"),
    schedule: aText,
  });
  const service = text("The id of its service.");
  const named = { id: { at: "name", within: "{serviceId}", known: "{name}" } } as const;

  return {
    Service: {
      description: "A web service, private service, background worker, cron job or static site.",
      path: "/v1/services",
      paths: { list: "/v1/services?ownerId={ownerId}&name={name}" },
      envelope: { create: "service" },
      ...listedAs("service"),
      region: { property: "serviceDetails.region", elsewhere: { type: ["static_site"] } },
      defaults: { "serviceDetails.region": { region: true } },
      refers: {
        environmentId: "Environment",
        "image.registryCredentialId": "RegistryCredential",
        "serviceDetails.envSpecificDetails.registryCredentialId": "RegistryCredential",
      },
      takes: fields(
        {
          type: text(
            "The kind of service.",
            "static_site",
            "web_service",
            "private_service",
            "background_worker",
            "cron_job",
          ),
          name: text("The name, unique in the workspace."),
          repo: text("The URL of its Git repository."),
          branch: text("The branch that is deployed."),
          rootDir: text("The directory in the repository."),
          autoDeploy: field("Whether each commit is deployed.", yesOrNo),
          image: field(
            "The image in place of a repository.",
            group({ imagePath: aText, registryCredentialId: aText }, ["imagePath"]),
          ),
          buildFilter: field(
            "Which changed files lead to a deploy.",
            group({ paths: someTexts, ignoredPaths: someTexts }, ["paths", "ignoredPaths"]),
          ),
          envVars: field(
            "Its environment variables.",
            listOf(group({ key: aText, value: aText, generateValue: aFlag }, ["key"])),
          ),
          secretFiles: field(
            "Its secret files.",
            listOf(group({ name: aText, content: aText }, ["name", "content"])),
          ),
          environmentId: text("The id of its environment."),
          serviceDetails: field("What is set by the kind of service.", details),
        },
        ["type"],
      ),
      name: { property: "name", rule: { maxLength: 60, letterFirst: true }, unique: true },
      update: "none",
      immutable: ["type", "serviceDetails.region"],
      parts: [
        patchOf(
          "/v1/services/{id}",
          "name",
          "repo",
          "branch",
          "rootDir",
          "autoDeploy",
          "image",
          "buildFilter",
          ...[
            "buildCommand",
            "cache",
            "envSpecificDetails",
            "healthCheckPath",
            "ipAllowList",
            "maintenanceMode",
            "maxShutdownDelaySeconds",
            "plan",
            "preDeployCommand",
            "previews",
            "publishPath",
            "pullRequestPreviewsEnabled",
            "renderSubdomainPolicy",
            "runtime",
            "schedule",
          ].map((name) => `serviceDetails.${name}`),
        ),
        {
          properties: ["serviceDetails.numInstances"],
          method: "POST",
          path: "/v1/services/{id}/scale",
          absent: "keep",
        },
        {
          properties: ["serviceDetails.autoscaling"],
          method: "PUT",
          path: "/v1/services/{id}/autoscaling",
          body: {
            enabled: "{serviceDetails.autoscaling.enabled}",
            min: "{serviceDetails.autoscaling.min}",
            max: "{serviceDetails.autoscaling.max}",
            criteria: "{serviceDetails.autoscaling.criteria}",
          },
          absent: {
            enabled: false,
            min: 1,
            max: 1,
            criteria: {
              cpu: { enabled: false, percentage: 100 },
              memory: { enabled: false, percentage: 100 },
            },
          },
        },
        ...variableParts("/v1/services/{id}"),
        ...fileParts("/v1/services/{id}"),
        environmentPart,
      ],
      // Render stores a change, and runs it from the next deploy on.
      effect: "/v1/services/{id}/deploys",
      onlyAtCreate: {
        "serviceDetails.disk": "Change the disk itself, as a resource of the type render:Disk.",
        "serviceDetails.headers": "Change the headers in Render's dashboard.",
        "serviceDetails.routes": "Write routes that change as resources of the type render:Route.",
      },
      writeOnly: [
        "envVars",
        "secretFiles",
        // Render shows it with its registry, tag or digest.
        "image",
        "serviceDetails.headers",
        "serviceDetails.routes",
        "serviceDetails.disk",
      ],
      compare: {
        at: {
          "serviceDetails.preDeployCommand": "serviceDetails.envSpecificDetails.preDeployCommand",
          "serviceDetails.envSpecificDetails.registryCredentialId":
            "serviceDetails.envSpecificDetails.registryCredential.id",
        },
        sets: ["serviceDetails.ipAllowList"],
      },
      state: {
        at: "/v1/services/{id}/deploys?limit=1",
        path: "0.deploy.status",
        // Until the new deploy is listed, the one before it is shown as live.
        since: "0.deploy.createdAt",
        ready: ["live"],
        fail: ["build_failed", "update_failed", "pre_deploy_failed", "canceled"],
        mendable: true,
      },
      find: { by: "properties", properties: ["name", "type"], createdAt: "createdAt" },
      // Twenty services are created in an hour at most: the next waits for its turn.
      timing: { pollMs: 5_000, createMinutes: 120, updateMinutes: 60 },
    },

    EnvVar: {
      description: "An environment variable of a service. It counts from the next deploy on.",
      path: `${SERVICE}/env-vars`,
      paths: { create: `${SERVICE}/env-vars/{key}` },
      ...listedAs("envVar"),
      id: { at: "key", within: "{serviceId}", known: "{key}" },
      create: { method: "PUT", guard: "read" },
      refers: { serviceId: "Service" },
      takes: fields(
        {
          serviceId: service,
          key: text("The name."),
          value: text("The value."),
          generateValue: flag("Render makes the value."),
        },
        ["serviceId", "key"],
      ),
      outputs: ["id"],
      createOnly: ["key"],
      unsent: ["key"],
      writeOnly: ["generateValue"],
      secretOutputs: ["value"],
      update: "PUT",
      deleteFirst: true,
    },

    Disk: {
      description: "The disk of a service.",
      path: "/v1/disks",
      paths: { list: "/v1/disks?ownerId={ownerId}&serviceId={serviceId}" },
      ...listedAs("disk"),
      refers: { serviceId: "Service" },
      location: ["serviceId"],
      takes: fields(
        {
          serviceId: service,
          name: text("The name."),
          sizeGB: whole("The size in GB. It can only grow."),
          mountPath: text("Where the service has it."),
        },
        ["serviceId", "sizeGB", "mountPath"],
      ),
      outputs: ["id", "createdAt", "updatedAt"],
      name: {
        property: "name",
        // A service has one disk.
        unique: "serviceId",
      },
      update: "none",
      parts: [patchOf("/v1/disks/{id}", "name", "sizeGB", "mountPath")],
      find: { by: "properties", properties: ["serviceId", "name"], createdAt: "createdAt" },
    },

    CustomDomain: {
      description: "A domain of a service. It works once its DNS records lead to the service.",
      path: `${SERVICE}/custom-domains`,
      paths: { list: `${SERVICE}/custom-domains?name={name}` },
      ...listedAs("customDomain"),
      ...named,
      refers: { serviceId: "Service" },
      takes: fields({ serviceId: service, name: text("The domain.") }, ["serviceId", "name"]),
      name: { property: "name", unique: true },
      compare: { caseInsensitive: ["name"] },
      update: "none",
      read: {
        // For a domain without a subdomain there are two in the answer.
        back: true,
      },
      find: { by: "properties", properties: ["name"], createdAt: "createdAt" },
    },

    Job: {
      description:
        "A command that a service runs once, for example a migration. A change of its properties runs it again.",
      path: `${SERVICE}/jobs`,
      ...listedAs("job"),
      id: { within: "{serviceId}" },
      refers: { serviceId: "Service" },
      takes: fields(
        {
          serviceId: service,
          startCommand: text("The command."),
          planId: text("The id of the plan that it runs with; by default the service's."),
        },
        ["serviceId", "startCommand"],
      ),
      outputs: ["id", "status", "createdAt", "startedAt", "finishedAt"],
      update: "none",
      delete: { method: "POST" },
      paths: { delete: `${SERVICE}/jobs/{id}/cancel` },
      facts: {
        leaves: {
          says: "Render keeps ended jobs in the history of their service, at no cost, and nothing deletes one by itself.",
        },
      },
      state: { path: "status", ready: ["succeeded"], fail: ["failed", "canceled"] },
      find: { by: "properties", properties: ["startCommand"], createdAt: "createdAt" },
      timing: { pollMs: 5_000, createMinutes: 120, deleteMinutes: 15 },
    },

    Route: {
      description: "A redirect or rewrite of a static site.",
      path: `${SERVICE}/routes`,
      ...listedAs("route"),
      id: { within: "{serviceId}" },
      read: { fromList: true },
      refers: { serviceId: "Service" },
      takes: fields(
        {
          serviceId: service,
          type: text("What it does.", "redirect", "rewrite"),
          source: text("The path that it is for."),
          destination: text("Where it leads."),
          priority: whole("The lower, the earlier it counts; by default the last."),
        },
        ["serviceId", "type", "source", "destination"],
      ),
      outputs: ["id"],
      update: "none",
    },
  };
}
