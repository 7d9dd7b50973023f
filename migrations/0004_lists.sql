ALTER TABLE `webhooks` ADD `labels` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `cloud_targets` ADD `labels` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `cloud_targets_by_name` ON `cloud_targets` (`tenant_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
ALTER TABLE `deployments` ADD `requested_by_name` text;--> statement-breakpoint
ALTER TABLE `deployments` ADD `message` text;--> statement-breakpoint
ALTER TABLE `deployments` ADD `labels` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `deployments` ADD `template_version` integer;--> statement-breakpoint
CREATE INDEX `deployments_by_state` ON `deployments` (`tenant_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `deployments_by_update` ON `deployments` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
ALTER TABLE `instances` ADD `labels` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `instances_by_name` ON `instances` (`tenant_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
ALTER TABLE `templates` ADD `labels` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `templates_by_name` ON `templates` (`tenant_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `profiles_by_name` ON `profiles` (`tenant_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
-- Written by hand: deployments made before this column have the number in their inputs only.
UPDATE `deployments` SET `template_version` = json_extract(`inputs`, '$.template.version');
