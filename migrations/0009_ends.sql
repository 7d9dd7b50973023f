ALTER TABLE `deployments` ADD `awaits_runner` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- Backfill: a runner may still have a run open that was canceled lately.
UPDATE `deployments` SET `awaits_runner` = 1 WHERE state IN ('CANCELED') AND `updated_at_ms` > (unixepoch() - 86400) * 1000;--> statement-breakpoint
DROP INDEX `deployments_canceled`;--> statement-breakpoint
CREATE INDEX `deployments_awaiting_runner` ON `deployments` (`updated_at_ms`) WHERE awaits_runner = 1;
