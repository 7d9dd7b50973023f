ALTER TABLE `api_keys` ADD `person` text DEFAULT 'bootstrap' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `ancestors` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `generation` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tenant_email_domains` ADD `challenge` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `tenant_email_domains` ADD `method` text;--> statement-breakpoint
ALTER TABLE `tenant_email_domains` ADD `verified_at_ms` integer;--> statement-breakpoint
ALTER TABLE `tenant_email_domains` ADD `verified_until_ms` integer;--> statement-breakpoint
ALTER TABLE `tenant_email_domains` ADD `next_check_at_ms` integer;--> statement-breakpoint
CREATE INDEX `tenant_email_domains_due` ON `tenant_email_domains` (`next_check_at_ms`) WHERE next_check_at_ms IS NOT NULL;--> statement-breakpoint
ALTER TABLE `cloud_targets` ADD `authors` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `instances` ADD `authors` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `instances` ADD `deployed` text;--> statement-breakpoint
ALTER TABLE `profiles` ADD `authors` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `template_versions` ADD `authors` text DEFAULT '{}' NOT NULL;