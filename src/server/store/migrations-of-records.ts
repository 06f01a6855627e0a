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

/** Rows of before have an empty kind: sessions of several kinds were added up in them. */
export const usageKinds: NamedMigration = {
  name: '020-usage-kinds',
  async up(knex) {
    // SQLite cannot change a primary key.
    await knex.schema.renameTable('usage', 'usage_before');
    await knex.schema.createTable('usage', table => {
      table.text('tenant_id').notNullable();
      table.text('kind').notNullable();
      table.text('date').notNullable();
      table.bigInteger('ms').notNullable();
      // The old one keeps its names until it is dropped.
      table.primary(['tenant_id', 'kind', 'date'], 'usage_by_kind');
      table.index(['date'], 'usage_dates');
    });
    await knex.raw("insert into usage (tenant_id, kind, date, ms) select tenant_id, '', date, ms from usage_before");
    await knex.schema.dropTable('usage_before');
  },
  async down(knex) {
    await knex.schema.renameTable('usage', 'usage_after');
    await knex.schema.createTable('usage', table => {
      table.text('tenant_id').notNullable();
      table.text('date').notNullable();
      table.bigInteger('ms').notNullable();
      table.primary(['tenant_id', 'date']);
      table.index(['date']);
    });
    await knex.raw(
      'insert into usage (tenant_id, date, ms) select tenant_id, date, sum(ms) from usage_after group by tenant_id, date',
    );
    await knex.schema.dropTable('usage_after');
  },
};
