import type { Knex } from 'knex';

export interface NamedMigration extends Knex.Migration {
  name: string;
}

export const idempotencyKeys: NamedMigration = {
  name: '018-idempotency-keys',
  async up(knex) {
    await knex.schema.createTable('idempotency_keys', table => {
      table.text('id').primary();
      table.text('request').notNullable();
      table.text('tenant_id');
      table.text('session_id').notNullable().references('sessions.id').onDelete('cascade');
      table.boolean('created').notNullable();
      table.bigInteger('created_at').notNullable();
      table.index(['session_id']);
      table.index(['created_at']);
    });
  },
  async down(knex) {
    await knex.schema.dropTable('idempotency_keys');
  },
};

export const profileRecords: NamedMigration = {
  name: '019-profile-records',
  async up(knex) {
    await knex.schema.alterTable('profiles', table => {
      table.text('tenant_id');
      table.bigInteger('created_at').notNullable().defaultTo(0);
      table.index(['created_at', 'id']);
      table.index(['tenant_id']);
    });
    // When one was saved first is not known; whose it is says the newest session that saves it.
    const saver = knex('sessions').whereRaw('profile_save = profiles.id').orderBy('created_at', 'desc').limit(1);
    await knex('profiles').update({ created_at: knex.ref('saved_at'), tenant_id: saver.select('tenant_id') });
  },
  async down(knex) {
    await knex.schema.alterTable('profiles', table => {
      table.dropIndex(['created_at', 'id']);
      table.dropIndex(['tenant_id']);
      table.dropColumns('tenant_id', 'created_at');
    });
  },
};

/** What is booked by kind; replicas of older versions go on booking in the table of before, which tells no kinds. */
export const usageKinds: NamedMigration = {
  name: '020-usage-kinds',
  async up(knex) {
    await knex.schema.createTable('usage_by_kind', table => {
      table.text('tenant_id').notNullable();
      table.text('kind').notNullable();
      table.text('date').notNullable();
      table.bigInteger('ms').notNullable();
      table.primary(['tenant_id', 'kind', 'date']);
      table.index(['date']);
    });
  },
  async down(knex) {
    // "where true": SQLite would take "on conflict" for a part of the join otherwise.
    await knex.raw(
      'insert into usage (tenant_id, date, ms) select tenant_id, date, sum(ms) from usage_by_kind where true ' +
        'group by tenant_id, date on conflict (tenant_id, date) do update set ms = usage.ms + excluded.ms',
    );
    await knex.schema.dropTable('usage_by_kind');
  },
};

/** The number of the newest event when a tenant's were erased: readers of events may have had those. */
export const erasedEvents: NamedMigration = {
  name: '022-erased-events',
  async up(knex) {
    await knex.schema.alterTable('event_bounds', table => {
      table.bigInteger('erased').notNullable().defaultTo(0);
    });
  },
  async down(knex) {
    await knex.schema.alterTable('event_bounds', table => {
      table.dropColumn('erased');
    });
  },
};
