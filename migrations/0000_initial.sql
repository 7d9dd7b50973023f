CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`search_text` text NOT NULL,
	`prefix` text NOT NULL,
	`digest` text NOT NULL,
	`previous_digest` text,
	`previous_expires_at_ms` integer,
	`scopes` text NOT NULL,
	`created_by` text NOT NULL,
	`creator_user_id` text,
	`person` text NOT NULL,
	`ancestors` text NOT NULL,
	`generation` integer NOT NULL,
	`expires_at_ms` integer,
	`revoked_at_ms` integer,
	`last_used_at_ms` integer,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `api_keys_by_tenant` ON `api_keys` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_by_update` ON `api_keys` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_by_name` ON `api_keys` (`tenant_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_of_creator` ON `api_keys` (`creator_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_live` ON `api_keys` (`tenant_id`) WHERE revoked_at_ms IS NULL;--> statement-breakpoint
CREATE TABLE `audit_events` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`at_ms` integer NOT NULL,
	`sequence` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text NOT NULL,
	`request_id` text NOT NULL,
	`before_digest` text,
	`after_digest` text,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_events_by_sequence` ON `audit_events` (`tenant_id`,`sequence`);--> statement-breakpoint
CREATE TABLE `audit_seals` (
	`tenant_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`prev_hash` text NOT NULL,
	`hash` text NOT NULL,
	`sealed_at_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `sequence`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `cloud_targets` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`provider` text NOT NULL,
	`name` text NOT NULL,
	`search_text` text NOT NULL,
	`labels` text DEFAULT '{}' NOT NULL,
	`environment` text NOT NULL,
	`config` text NOT NULL,
	`credential_ref` text,
	`allowed_regions` text NOT NULL,
	`default_region` text NOT NULL,
	`max_concurrent_deployments` integer NOT NULL,
	`verification` text DEFAULT 'UNVERIFIED' NOT NULL,
	`verified_at_ms` integer,
	`authors` text DEFAULT '{}' NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `cloud_targets_by_tenant` ON `cloud_targets` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `cloud_targets_by_update` ON `cloud_targets` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `cloud_targets_by_name` ON `cloud_targets` (`tenant_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE TABLE `deployment_plans` (
	`tenant_id` text NOT NULL,
	`deployment_id` text NOT NULL,
	`changes` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `deployment_id`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `deployments` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`target_id` text NOT NULL,
	`operation` text NOT NULL,
	`state` text NOT NULL,
	`trigger` text NOT NULL,
	`requested_by` text NOT NULL,
	`requested_by_person` text,
	`requested_by_name` text,
	`message` text,
	`labels` text DEFAULT '{}' NOT NULL,
	`template_version` integer,
	`inputs` text NOT NULL,
	`gate_ticket` integer,
	`summary` text,
	`plan_hash` text,
	`state_serial` integer,
	`error` text,
	`outputs_error` text,
	`decisions` text DEFAULT '[]' NOT NULL,
	`timestamps` text NOT NULL,
	`awaits_runner` integer DEFAULT false NOT NULL,
	`pruned` integer DEFAULT false NOT NULL,
	`projected` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `deployments_by_tenant` ON `deployments` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `deployments_by_state` ON `deployments` (`tenant_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `deployments_by_update` ON `deployments` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `deployments_by_instance` ON `deployments` (`instance_id`,`id`);--> statement-breakpoint
CREATE INDEX `deployments_good` ON `deployments` (`instance_id`,`id`) WHERE operation IN ('deploy', 'rollback') AND state IN ('SUCCEEDED', 'NO_CHANGES') AND outputs_error IS NULL AND pruned = 0;--> statement-breakpoint
CREATE INDEX `deployments_drift_checks` ON `deployments` (`instance_id`,`id`) WHERE operation = 'drift_check';--> statement-breakpoint
CREATE INDEX `deployments_waiting` ON `deployments` (`tenant_id`,`target_id`,`gate_ticket`) WHERE gate_ticket IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deployments_open_of_instance` ON `deployments` (`instance_id`,`id`) WHERE state IN ('QUEUED', 'PLANNING', 'APPLYING', 'CANCELING');--> statement-breakpoint
CREATE INDEX `deployments_awaiting_runner` ON `deployments` (`updated_at_ms`) WHERE awaits_runner = 1;--> statement-breakpoint
CREATE INDEX `deployments_parked` ON `deployments` (`updated_at_ms`) WHERE state IN ('AWAITING_APPROVAL');--> statement-breakpoint
CREATE TABLE `events` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text NOT NULL,
	`name` text,
	`payload` text NOT NULL,
	`trace` text,
	`hops` integer,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `feature_flags` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`type` text NOT NULL,
	`enabled` integer NOT NULL,
	`variants` text NOT NULL,
	`default_variant` text NOT NULL,
	`rules` text NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE UNIQUE INDEX `feature_flags_key_unique` ON `feature_flags` (`key`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`principal` text NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`body_digest` text NOT NULL,
	`status` integer NOT NULL,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	`is_part` integer DEFAULT false NOT NULL,
	`expires_at_ms` integer NOT NULL,
	PRIMARY KEY(`principal`, `operation`, `key`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `import_drafts` (
	`tenant_id` text NOT NULL,
	`import_id` text NOT NULL,
	`module` text NOT NULL,
	`place` integer NOT NULL,
	`draft` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `import_id`, `module`)
);--> statement-breakpoint
CREATE TABLE `import_parts` (
	`tenant_id` text NOT NULL,
	`import_id` text NOT NULL,
	`part` text NOT NULL,
	`chunk` integer NOT NULL,
	`items` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `import_id`, `part`, `chunk`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`state` text NOT NULL,
	`formats` text NOT NULL,
	`progress` text NOT NULL,
	`summary` text DEFAULT '{"clouds":[],"report":null}' NOT NULL,
	`counts` text NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `imports_by_tenant` ON `imports` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `incident_updates` (
	`tenant_id` text NOT NULL,
	`incident_id` text NOT NULL,
	`id` text NOT NULL,
	`status` text NOT NULL,
	`impact` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`message` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `incident_id`, `id`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`title` text NOT NULL,
	`status` text NOT NULL,
	`impact` text NOT NULL,
	`components` text NOT NULL,
	`message` text NOT NULL,
	`resolved_at_ms` integer,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `incidents_by_tenant` ON `incidents` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `incidents_by_resolution` ON `incidents` (`tenant_id`,`resolved_at_ms`,`id`);--> statement-breakpoint
CREATE TABLE `instance_bindings` (
	`tenant_id` text NOT NULL,
	`reader_id` text NOT NULL,
	`variable` text NOT NULL,
	`upstream_id` text NOT NULL,
	`output` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `reader_id`, `variable`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE INDEX `instance_bindings_by_upstream` ON `instance_bindings` (`tenant_id`,`upstream_id`,`output`);--> statement-breakpoint
CREATE TABLE `instances` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`search_text` text NOT NULL,
	`labels` text DEFAULT '{}' NOT NULL,
	`template_id` text NOT NULL,
	`template_version` integer NOT NULL,
	`target_id` text NOT NULL,
	`profile_id` text,
	`variables` text NOT NULL,
	`bindings` text NOT NULL,
	`approval_mode` text,
	`protected_from_destroy` integer NOT NULL,
	`expires_at_ms` integer,
	`state` text NOT NULL,
	`drift` text NOT NULL,
	`outputs` text NOT NULL,
	`secret_outputs` text,
	`output_hashes` text,
	`outputs_stale_since_ms` integer,
	`state_serial` integer NOT NULL,
	`last_deployment_id` text,
	`authors` text DEFAULT '{}' NOT NULL,
	`deployed` text NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `instances_by_tenant` ON `instances` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `instances_by_update` ON `instances` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `instances_with_problems` ON `instances` (`tenant_id`,`id`) WHERE state IN ('FAILED', 'DEGRADED', 'DESTROY_FAILED');--> statement-breakpoint
CREATE INDEX `instances_by_name` ON `instances` (`tenant_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `instances_by_target` ON `instances` (`target_id`,`id`);--> statement-breakpoint
CREATE INDEX `instances_by_template` ON `instances` (`template_id`,`id`);--> statement-breakpoint
CREATE INDEX `instances_by_profile` ON `instances` (`profile_id`) WHERE profile_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `instances_expiring` ON `instances` (`expires_at_ms`) WHERE expires_at_ms IS NOT NULL;--> statement-breakpoint
CREATE TABLE `license_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `listing_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`listing_id` text NOT NULL
);--> statement-breakpoint
CREATE INDEX `listing_slugs_by_listing` ON `listing_slugs` (`listing_id`);--> statement-breakpoint
CREATE INDEX `listing_slugs_by_tenant` ON `listing_slugs` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `listings` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`template_id` text NOT NULL,
	`template_version` integer,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`summary` text NOT NULL,
	`description` text NOT NULL,
	`categories` text NOT NULL,
	`tags` text NOT NULL,
	`badges` text NOT NULL,
	`status` text NOT NULL,
	`revision` text,
	`review_notes` text,
	`installs` integer NOT NULL,
	`sort_title` text NOT NULL,
	`search_text` text NOT NULL,
	`submitted_at_ms` integer,
	`submitted_revision` integer,
	`published_revision` integer,
	`resubmitted_at_ms` integer,
	`published_at_ms` integer,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `listings_by_tenant` ON `listings` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `listings_by_tenant_title` ON `listings` (`tenant_id`,`sort_title`,`id`);--> statement-breakpoint
CREATE INDEX `listings_by_status` ON `listings` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `listings_by_status_title` ON `listings` (`status`,`sort_title`,`id`);--> statement-breakpoint
CREATE INDEX `listings_by_template` ON `listings` (`template_id`);--> statement-breakpoint
CREATE INDEX `listings_by_title` ON `listings` (`sort_title`,`id`);--> statement-breakpoint
CREATE TABLE `own_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`first_seen_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `profiles` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`search_text` text NOT NULL,
	`variables` text NOT NULL,
	`target_id` text,
	`authors` text DEFAULT '{}' NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `profiles_by_tenant` ON `profiles` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `profiles_by_update` ON `profiles` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `profiles_by_name` ON `profiles` (`tenant_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `profiles_by_target` ON `profiles` (`target_id`);--> statement-breakpoint
CREATE TABLE `announced_statuses` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`after_tenant_id` text,
	`version` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `status_days` (
	`tenant_id` text NOT NULL,
	`day` text NOT NULL,
	`finished` integer NOT NULL,
	`failed` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `sweep_runs` (
	`id` integer PRIMARY KEY NOT NULL,
	`runs` text NOT NULL
);--> statement-breakpoint
CREATE TABLE `sweep_watch` (
	`id` integer PRIMARY KEY NOT NULL,
	`swept_at_ms` integer NOT NULL,
	`reconciled_to` text,
	`failed` text DEFAULT '{}' NOT NULL,
	`pruned_to` text,
	`answers_after` text
);--> statement-breakpoint
CREATE TABLE `component_uses` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`template_id` text NOT NULL,
	`number` integer NOT NULL,
	`component_id` text NOT NULL,
	`component_number` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `component_uses_by_component` ON `component_uses` (`component_id`,`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `component_uses_by_version` ON `component_uses` (`component_id`,`component_number`,`tenant_id`);--> statement-breakpoint
CREATE INDEX `component_uses_by_template` ON `component_uses` (`template_id`,`component_id`);--> statement-breakpoint
CREATE INDEX `component_uses_by_tenant` ON `component_uses` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `template_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`template_id` text NOT NULL,
	`number` integer NOT NULL,
	`version` integer NOT NULL,
	`deprecated_at_ms` integer,
	`release` text,
	`release_order` text,
	`authors` text DEFAULT '{}' NOT NULL,
	`created_at_ms` integer NOT NULL,
	`secret_names` text NOT NULL,
	`outputs` text NOT NULL,
	`resources` text NOT NULL,
	`config` text NOT NULL,
	`components` text NOT NULL,
	`source` text NOT NULL
);--> statement-breakpoint
CREATE UNIQUE INDEX `template_versions_by_number` ON `template_versions` (`template_id`,`number`);--> statement-breakpoint
CREATE INDEX `template_versions_by_template` ON `template_versions` (`template_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `template_versions_by_release` ON `template_versions` (`template_id`,`release_order`);--> statement-breakpoint
CREATE INDEX `template_versions_by_tenant` ON `template_versions` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`search_text` text NOT NULL,
	`description` text NOT NULL,
	`labels` text DEFAULT '{}' NOT NULL,
	`latest_version` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `templates_by_tenant` ON `templates` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `templates_by_update` ON `templates` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `templates_by_name` ON `templates` (`tenant_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`digest` text NOT NULL,
	`invited_by` text NOT NULL,
	`version` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_by_email` ON `invitations` (`tenant_id`,`email`);--> statement-breakpoint
CREATE INDEX `invitations_by_tenant` ON `invitations` (`tenant_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_by_digest` ON `invitations` (`digest`);--> statement-breakpoint
CREATE INDEX `invitations_of_address` ON `invitations` (`email`);--> statement-breakpoint
CREATE INDEX `invitations_by_inviter` ON `invitations` (`invited_by`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`via` text,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE UNIQUE INDEX `members_by_user` ON `members` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `members_by_tenant` ON `members` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `members_of_user` ON `members` (`user_id`);--> statement-breakpoint
CREATE TABLE `monthly_usage` (
	`tenant_id` text NOT NULL,
	`month` text NOT NULL,
	`limit_name` text NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `month`, `limit_name`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `removed_members` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`email` text,
	`removed_at_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE INDEX `removed_members_by_user` ON `removed_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `tenant_bytes` (
	`tenant_id` text NOT NULL,
	`budget` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `budget`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `tenant_email_domains` (
	`tenant_id` text NOT NULL,
	`domain` text NOT NULL,
	`challenge` text NOT NULL,
	`method` text,
	`verified_at_ms` integer,
	`verified_until_ms` integer,
	`next_check_at_ms` integer,
	PRIMARY KEY(`tenant_id`, `domain`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE INDEX `tenant_email_domains_due` ON `tenant_email_domains` (`next_check_at_ms`) WHERE next_check_at_ms IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tenants_by_email_domain` ON `tenant_email_domains` (`domain`,`tenant_id`);--> statement-breakpoint
CREATE TABLE `tenant_purges` (
	`id` text PRIMARY KEY NOT NULL,
	`deleted_at_ms` integer NOT NULL,
	`due_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`search_text` text NOT NULL,
	`slug` text NOT NULL,
	`limits` text NOT NULL,
	`allowed_email_domains` text NOT NULL,
	`public_status` integer DEFAULT false NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_slug_unique` ON `tenants` (`slug`);--> statement-breakpoint
CREATE INDEX `tenants_by_name` ON `tenants` (name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `tenants_by_update` ON `tenants` (`updated_at_ms`,`id`);--> statement-breakpoint
CREATE TABLE `triggers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`kind` text NOT NULL,
	`enabled` integer NOT NULL,
	`condition` text NOT NULL,
	`template_id` text,
	`last_fired_at_ms` integer,
	`last_deployment_id` text,
	`pending_version` integer,
	`hops` integer,
	`token_digest` text,
	`signing_secret` text,
	`set_by_person` text,
	`next_fire_at_ms` integer,
	`suppressed_reason` text,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `triggers_by_tenant` ON `triggers` (`tenant_id`,`next_fire_at_ms`);--> statement-breakpoint
CREATE INDEX `triggers_by_instance` ON `triggers` (`instance_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `triggers_expiry` ON `triggers` (`instance_id`) WHERE kind = 'expiry';--> statement-breakpoint
CREATE INDEX `triggers_due` ON `triggers` (`next_fire_at_ms`) WHERE next_fire_at_ms IS NOT NULL;--> statement-breakpoint
CREATE INDEX `triggers_by_template` ON `triggers` (`template_id`) WHERE template_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `triggers_of_components` ON `triggers` (`tenant_id`,`template_id`) WHERE condition ->> '$.components' = 1;--> statement-breakpoint
CREATE UNIQUE INDEX `triggers_by_token` ON `triggers` (`token_digest`) WHERE token_digest IS NOT NULL;--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`user_id` text NOT NULL,
	`operator` integer NOT NULL,
	`provider` text NOT NULL,
	`user_agent` text,
	`last_seen_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_by_digest` ON `sessions` (`digest`);--> statement-breakpoint
CREATE INDEX `sessions_of_user` ON `sessions` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_last_use` ON `sessions` (`last_seen_at_ms`);--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`state_digest` text PRIMARY KEY NOT NULL,
	`browser_digest` text NOT NULL,
	`provider` text NOT NULL,
	`issuer` text NOT NULL,
	`return_to` text NOT NULL,
	`secrets` text NOT NULL,
	`expires_at_ms` integer NOT NULL
) WITHOUT ROWID;--> statement-breakpoint
CREATE INDEX `sign_ins_by_expiry` ON `sign_ins` (`expires_at_ms`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_trusted` integer NOT NULL,
	`name` text,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_by_identity` ON `users` (`issuer`,`subject`);--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`number` integer NOT NULL,
	`started_at_ms` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`status` integer,
	`error_class` text,
	`request_headers` text NOT NULL,
	`answer` text NOT NULL,
	`answer_cut` integer NOT NULL,
	`next_try_at_ms` integer,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE INDEX `webhook_attempts_by_delivery` ON `webhook_attempts` (`delivery_id`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`event_tenant_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event_type` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`manual` integer NOT NULL,
	`due_at_ms` integer,
	`lease_until_ms` integer NOT NULL,
	`held_at_ms` integer,
	`waits_in` text,
	`repeats_id` text,
	`repeated_by_id` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_webhook` ON `webhook_deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_held` ON `webhook_deliveries` (`webhook_id`,`id`) WHERE held_at_ms IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`due_at_ms`) WHERE due_at_ms IS NOT NULL AND waits_in IS NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_under_way` ON `webhook_deliveries` (`tenant_id`,`lease_until_ms`) WHERE lease_until_ms > 0;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`tenant_id`,`waits_in`,`id`) WHERE waits_in IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_failed` ON `webhook_deliveries` (`updated_at_ms`) WHERE state = 'EXHAUSTED';--> statement-breakpoint
CREATE TABLE `webhook_recoveries` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`state` text NOT NULL,
	`since_ms` integer NOT NULL,
	`until_ms` integer NOT NULL,
	`until_now` integer NOT NULL,
	`after_id` text NOT NULL,
	`count` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_recoveries_running` ON `webhook_recoveries` (`webhook_id`) WHERE state = 'RUNNING';--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text NOT NULL,
	`search_text` text NOT NULL,
	`labels` text DEFAULT '{}' NOT NULL,
	`events` text NOT NULL,
	`format` text DEFAULT 'standard' NOT NULL,
	`state` text NOT NULL,
	`disabled_reason` text,
	`secret` text NOT NULL,
	`secret_created_at_ms` integer NOT NULL,
	`public_key` text,
	`old_secrets` text NOT NULL,
	`failing_since_ms` integer,
	`failing_event_id` text,
	`slow` integer DEFAULT false NOT NULL,
	`failures_in_row` integer DEFAULT 0 NOT NULL,
	`circuit_open_since_ms` integer,
	`next_probe_at_ms` integer,
	`probe_delivery_id` text,
	`circuit_closed_at_ms` integer,
	`draining` integer DEFAULT false NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `webhooks_by_tenant` ON `webhooks` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhooks_by_update` ON `webhooks` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `webhooks_open` ON `webhooks` (`circuit_open_since_ms`) WHERE circuit_open_since_ms IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;--> statement-breakpoint
CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;--> statement-breakpoint
CREATE TRIGGER audit_seals_no_update BEFORE UPDATE ON audit_seals BEGIN SELECT RAISE(ABORT, 'audit seals are append-only'); END;--> statement-breakpoint
CREATE TRIGGER audit_seals_no_delete BEFORE DELETE ON audit_seals BEGIN SELECT RAISE(ABORT, 'audit seals are append-only'); END;--> statement-breakpoint
CREATE TRIGGER template_versions_bytes_inserted AFTER INSERT ON template_versions BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.source), 0) + coalesce(octet_length(NEW.config), 0) + coalesce(octet_length(NEW.resources), 0) + coalesce(octet_length(NEW.outputs), 0) + coalesce(octet_length(NEW.secret_names), 0) + coalesce(octet_length(NEW.components), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER template_versions_bytes_deleted AFTER DELETE ON template_versions BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.source), 0) + coalesce(octet_length(OLD.config), 0) + coalesce(octet_length(OLD.resources), 0) + coalesce(octet_length(OLD.outputs), 0) + coalesce(octet_length(OLD.secret_names), 0) + coalesce(octet_length(OLD.components), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'definitionBytes'; END;--> statement-breakpoint
CREATE TRIGGER template_versions_bytes_updated AFTER UPDATE OF source, config, resources, outputs, secret_names, components ON template_versions WHEN (coalesce(octet_length(NEW.source), 0) + coalesce(octet_length(NEW.config), 0) + coalesce(octet_length(NEW.resources), 0) + coalesce(octet_length(NEW.outputs), 0) + coalesce(octet_length(NEW.secret_names), 0) + coalesce(octet_length(NEW.components), 0)) <> (coalesce(octet_length(OLD.source), 0) + coalesce(octet_length(OLD.config), 0) + coalesce(octet_length(OLD.resources), 0) + coalesce(octet_length(OLD.outputs), 0) + coalesce(octet_length(OLD.secret_names), 0) + coalesce(octet_length(OLD.components), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.source), 0) + coalesce(octet_length(NEW.config), 0) + coalesce(octet_length(NEW.resources), 0) + coalesce(octet_length(NEW.outputs), 0) + coalesce(octet_length(NEW.secret_names), 0) + coalesce(octet_length(NEW.components), 0) - (coalesce(octet_length(OLD.source), 0) + coalesce(octet_length(OLD.config), 0) + coalesce(octet_length(OLD.resources), 0) + coalesce(octet_length(OLD.outputs), 0) + coalesce(octet_length(OLD.secret_names), 0) + coalesce(octet_length(OLD.components), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER component_uses_bytes_inserted AFTER INSERT ON component_uses BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.id), 0) + coalesce(octet_length(NEW.tenant_id), 0) + coalesce(octet_length(NEW.template_id), 0) + coalesce(octet_length(NEW.component_id), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER component_uses_bytes_deleted AFTER DELETE ON component_uses BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.id), 0) + coalesce(octet_length(OLD.tenant_id), 0) + coalesce(octet_length(OLD.template_id), 0) + coalesce(octet_length(OLD.component_id), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'definitionBytes'; END;--> statement-breakpoint
CREATE TRIGGER component_uses_bytes_updated AFTER UPDATE OF id, tenant_id, template_id, component_id ON component_uses WHEN (coalesce(octet_length(NEW.id), 0) + coalesce(octet_length(NEW.tenant_id), 0) + coalesce(octet_length(NEW.template_id), 0) + coalesce(octet_length(NEW.component_id), 0)) <> (coalesce(octet_length(OLD.id), 0) + coalesce(octet_length(OLD.tenant_id), 0) + coalesce(octet_length(OLD.template_id), 0) + coalesce(octet_length(OLD.component_id), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.id), 0) + coalesce(octet_length(NEW.tenant_id), 0) + coalesce(octet_length(NEW.template_id), 0) + coalesce(octet_length(NEW.component_id), 0) - (coalesce(octet_length(OLD.id), 0) + coalesce(octet_length(OLD.tenant_id), 0) + coalesce(octet_length(OLD.template_id), 0) + coalesce(octet_length(OLD.component_id), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER instances_bytes_inserted AFTER INSERT ON instances BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.variables), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER instances_bytes_deleted AFTER DELETE ON instances BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.variables), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'definitionBytes'; END;--> statement-breakpoint
CREATE TRIGGER instances_bytes_updated AFTER UPDATE OF variables ON instances WHEN (coalesce(octet_length(NEW.variables), 0)) <> (coalesce(octet_length(OLD.variables), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.variables), 0) - (coalesce(octet_length(OLD.variables), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER profiles_bytes_inserted AFTER INSERT ON profiles BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.variables), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER profiles_bytes_deleted AFTER DELETE ON profiles BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.variables), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'definitionBytes'; END;--> statement-breakpoint
CREATE TRIGGER profiles_bytes_updated AFTER UPDATE OF variables ON profiles WHEN (coalesce(octet_length(NEW.variables), 0)) <> (coalesce(octet_length(OLD.variables), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.variables), 0) - (coalesce(octet_length(OLD.variables), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER incidents_bytes_inserted AFTER INSERT ON incidents BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.message), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER incidents_bytes_deleted AFTER DELETE ON incidents BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.message), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'definitionBytes'; END;--> statement-breakpoint
CREATE TRIGGER incidents_bytes_updated AFTER UPDATE OF message ON incidents WHEN (coalesce(octet_length(NEW.message), 0)) <> (coalesce(octet_length(OLD.message), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.message), 0) - (coalesce(octet_length(OLD.message), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER incident_updates_bytes_inserted AFTER INSERT ON incident_updates BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.message), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER incident_updates_bytes_deleted AFTER DELETE ON incident_updates BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.message), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'definitionBytes'; END;--> statement-breakpoint
CREATE TRIGGER incident_updates_bytes_updated AFTER UPDATE OF message ON incident_updates WHEN (coalesce(octet_length(NEW.message), 0)) <> (coalesce(octet_length(OLD.message), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.message), 0) - (coalesce(octet_length(OLD.message), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER triggers_bytes_inserted AFTER INSERT ON triggers BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.condition), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER triggers_bytes_deleted AFTER DELETE ON triggers BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.condition), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'definitionBytes'; END;--> statement-breakpoint
CREATE TRIGGER triggers_bytes_updated AFTER UPDATE OF condition ON triggers WHEN (coalesce(octet_length(NEW.condition), 0)) <> (coalesce(octet_length(OLD.condition), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'definitionBytes', coalesce(octet_length(NEW.condition), 0) - (coalesce(octet_length(OLD.condition), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER deployments_bytes_inserted AFTER INSERT ON deployments BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'deploymentBytes', coalesce(octet_length(NEW.inputs), 0) + coalesce(octet_length(NEW.labels), 0) + coalesce(octet_length(NEW.message), 0) + coalesce(octet_length(NEW.error), 0) + coalesce(octet_length(NEW.outputs_error), 0) + coalesce(octet_length(NEW.decisions), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER deployments_bytes_deleted AFTER DELETE ON deployments BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.inputs), 0) + coalesce(octet_length(OLD.labels), 0) + coalesce(octet_length(OLD.message), 0) + coalesce(octet_length(OLD.error), 0) + coalesce(octet_length(OLD.outputs_error), 0) + coalesce(octet_length(OLD.decisions), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'deploymentBytes'; END;--> statement-breakpoint
CREATE TRIGGER deployments_bytes_updated AFTER UPDATE OF inputs, labels, message, error, outputs_error, decisions ON deployments WHEN (coalesce(octet_length(NEW.inputs), 0) + coalesce(octet_length(NEW.labels), 0) + coalesce(octet_length(NEW.message), 0) + coalesce(octet_length(NEW.error), 0) + coalesce(octet_length(NEW.outputs_error), 0) + coalesce(octet_length(NEW.decisions), 0)) <> (coalesce(octet_length(OLD.inputs), 0) + coalesce(octet_length(OLD.labels), 0) + coalesce(octet_length(OLD.message), 0) + coalesce(octet_length(OLD.error), 0) + coalesce(octet_length(OLD.outputs_error), 0) + coalesce(octet_length(OLD.decisions), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'deploymentBytes', coalesce(octet_length(NEW.inputs), 0) + coalesce(octet_length(NEW.labels), 0) + coalesce(octet_length(NEW.message), 0) + coalesce(octet_length(NEW.error), 0) + coalesce(octet_length(NEW.outputs_error), 0) + coalesce(octet_length(NEW.decisions), 0) - (coalesce(octet_length(OLD.inputs), 0) + coalesce(octet_length(OLD.labels), 0) + coalesce(octet_length(OLD.message), 0) + coalesce(octet_length(OLD.error), 0) + coalesce(octet_length(OLD.outputs_error), 0) + coalesce(octet_length(OLD.decisions), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER deployment_plans_bytes_inserted AFTER INSERT ON deployment_plans BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'deploymentBytes', coalesce(octet_length(NEW.changes), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER deployment_plans_bytes_deleted AFTER DELETE ON deployment_plans BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.changes), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'deploymentBytes'; END;--> statement-breakpoint
CREATE TRIGGER deployment_plans_bytes_updated AFTER UPDATE OF changes ON deployment_plans WHEN (coalesce(octet_length(NEW.changes), 0)) <> (coalesce(octet_length(OLD.changes), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'deploymentBytes', coalesce(octet_length(NEW.changes), 0) - (coalesce(octet_length(OLD.changes), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER import_parts_bytes_inserted AFTER INSERT ON import_parts BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'importBytes', coalesce(octet_length(NEW.items), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER import_parts_bytes_deleted AFTER DELETE ON import_parts BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.items), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'importBytes'; END;--> statement-breakpoint
CREATE TRIGGER import_parts_bytes_updated AFTER UPDATE OF items ON import_parts WHEN (coalesce(octet_length(NEW.items), 0)) <> (coalesce(octet_length(OLD.items), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'importBytes', coalesce(octet_length(NEW.items), 0) - (coalesce(octet_length(OLD.items), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER import_drafts_bytes_inserted AFTER INSERT ON import_drafts BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'importBytes', coalesce(octet_length(NEW.draft), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER import_drafts_bytes_deleted AFTER DELETE ON import_drafts BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.draft), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'importBytes'; END;--> statement-breakpoint
CREATE TRIGGER import_drafts_bytes_updated AFTER UPDATE OF draft ON import_drafts WHEN (coalesce(octet_length(NEW.draft), 0)) <> (coalesce(octet_length(OLD.draft), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'importBytes', coalesce(octet_length(NEW.draft), 0) - (coalesce(octet_length(OLD.draft), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER imports_bytes_inserted AFTER INSERT ON imports BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'importBytes', coalesce(octet_length(NEW.summary), 0)) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;--> statement-breakpoint
CREATE TRIGGER imports_bytes_deleted AFTER DELETE ON imports BEGIN UPDATE tenant_bytes SET bytes = bytes - (coalesce(octet_length(OLD.summary), 0)) WHERE tenant_id = OLD.tenant_id AND budget = 'importBytes'; END;--> statement-breakpoint
CREATE TRIGGER imports_bytes_updated AFTER UPDATE OF summary ON imports WHEN (coalesce(octet_length(NEW.summary), 0)) <> (coalesce(octet_length(OLD.summary), 0)) BEGIN INSERT INTO tenant_bytes VALUES (NEW.tenant_id, 'importBytes', coalesce(octet_length(NEW.summary), 0) - (coalesce(octet_length(OLD.summary), 0))) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes; END;
