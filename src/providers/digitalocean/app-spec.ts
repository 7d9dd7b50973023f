/**
 * The specification of an app. Its objects are open: the reference of app specifications has more than the API's
 * description. At a target that tenants share, only what stands here is taken.
 */
import type { ValueShape } from "#providers/provider.ts";
import { aFlag, aText, listOf } from "#providers/rest/fields.ts";
import { aChoice, aHost, aLabel, only, openGroup, someLabels, words } from "./fields.ts";

type Members = Readonly<Record<string, ValueShape>>;
const some = (members: Members): ValueShape => listOf(openGroup(members));

export function appSpec(): Members {
  const envs = some(words("key value scope type", "content"));
  const alerts = some(words("rule disabled operator value window"));
  const check = openGroup(
    words(
      "http_path port failure_threshold initial_delay_seconds period_seconds success_threshold timeout_seconds",
      "amount",
    ),
  );
  const cors = openGroup({
    ...words("max_age allow_credentials"),
    allow_origins: some(words("exact prefix regex")),
    allow_methods: someLabels,
    allow_headers: someLabels,
    expose_headers: someLabels,
  });
  /** Of any kind. Sources at GitHub, GitLab and Bitbucket are reached as the account is connected there: left out. */
  const parts = some({
    ...words("name kind environment_slug instance_size_slug protocol", "choice"),
    ...words("http_port instance_count", "amount"),
    ...words(
      "source_dir dockerfile_path build_command run_command output_dir index_document error_document catchall_document",
      "content",
    ),
    git: openGroup(words("repo_clone_url branch", "content")),
    image: openGroup({
      ...words("registry registry_credentials repository tag digest", "content"),
      // The third is the account's own registry.
      registry_type: only("DOCKER_HUB", "GHCR"),
      deploy_on_push: openGroup({ enabled: aFlag }),
    }),
    envs,
    alerts,
    cors,
    health_check: check,
    liveness_health_check: check,
    autoscaling: openGroup({
      ...words("min_instance_count max_instance_count", "amount"),
      metrics: openGroup({
        cpu: openGroup(words("percent", "amount")),
        requests_per_second: openGroup(words("per_instance", "amount")),
        request_duration: openGroup(words("p95_milliseconds", "amount")),
      }),
    }),
    internal_ports: listOf({ names: "address" }),
    routes: some(words("path preserve_path_prefix")),
    termination: openGroup(words("drain_seconds grace_period_seconds", "amount")),
    log_destinations: some({
      ...words("name"),
      papertrail: openGroup(words("endpoint", "content")),
      datadog: openGroup(words("endpoint api_key", "content")),
      logtail: openGroup(words("token", "content")),
      open_search: openGroup({
        ...words("endpoint index_name", "content"),
        basic_auth: openGroup(words("user password", "content")),
      }),
    }),
  });
  return {
    name: aLabel,
    region: aChoice,
    services: parts,
    static_sites: parts,
    jobs: parts,
    workers: parts,
    functions: parts,
    envs,
    alerts,
    databases: some({
      ...words("name engine version db_name db_user"),
      // A cluster of the account, which is named beside it.
      production: only(false),
    }),
    domains: some({
      ...words("type minimum_tls_version", "choice"),
      domain: aHost,
      zone: aText,
      wildcard: aFlag,
    }),
    ingress: openGroup({
      ...words("custom_error_page_url", "content"),
      rules: some({
        match: openGroup({
          path: openGroup(words("prefix")),
          authority: openGroup(words("exact")),
        }),
        component: openGroup(words("name preserve_path_prefix rewrite")),
        redirect: openGroup(words("uri authority port scheme redirect_code", "content")),
        cors,
      }),
    }),
    egress: openGroup(words("type", "choice")),
    maintenance: openGroup({
      enabled: aFlag,
      archive: aFlag,
      ...words("offline_page_url", "content"),
    }),
    features: someLabels,
    disable_edge_cache: aFlag,
    disable_email_obfuscation: aFlag,
    enhanced_threat_control_enabled: aFlag,
    vpc: openGroup({ id: aText }),
  };
}
