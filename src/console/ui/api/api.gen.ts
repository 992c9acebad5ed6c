// Written by scripts/gen.ts from the API's document: run `bun run gen` after changing a route.
export interface paths {
    "/api/forms/{id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["submitForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAttributes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attributes/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteAttribute"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAutomations"];
        put?: never;
        post: operations["createAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAutomation"];
        put?: never;
        post?: never;
        delete: operations["deleteAutomation"];
        options?: never;
        head?: never;
        patch: operations["updateAutomation"];
        trace?: never;
    };
    "/api/v1/automations/{id}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAutomationEnrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{id}/flow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAutomationFlow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["showAutomationPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{id}/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAutomationProblems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["simulateAutomation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/automations/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAutomationStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBackups"];
        put?: never;
        post: operations["createBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/backups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBackup"];
        put?: never;
        post?: never;
        delete: operations["deleteBackup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/backups/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBackupFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/backups/{id}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["openBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blocked-domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBlockedDomains"];
        put?: never;
        post: operations["createBlockedDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blocked-domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteBlockedDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bounces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBounces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bounces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBounce"];
        put?: never;
        post?: never;
        delete: operations["deleteBounce"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCampaigns"];
        put?: never;
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        patch: operations["updateCampaign"];
        trace?: never;
    };
    "/api/v1/campaigns/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/check/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCampaignCheckContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCampaignContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCampaignDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["duplicateCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCampaignLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCampaignOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateCampaignOptions"];
        trace?: never;
    };
    "/api/v1/campaigns/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["showCampaignPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCampaignReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["scheduleCampaign"];
        delete: operations["unscheduleCampaign"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stopCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendCampaignTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCampaignTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listContacts"];
        put?: never;
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getContact"];
        put?: never;
        post?: never;
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        patch: operations["updateContact"];
        trace?: never;
    };
    "/api/v1/contacts/{id}/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listContactLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/{id}/mailable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getContactMailable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/{id}/score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getContactScore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listContactTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["updateContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contacts/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["listMatchingContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliverability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDeliverability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvents"];
        put?: never;
        post: operations["createEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/campaigns/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDeliveriesExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getContactsExport"];
        put?: never;
        post: operations["getChosenContactsExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/forms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listForms"];
        put?: never;
        post: operations["createForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/forms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getForm"];
        put?: never;
        post?: never;
        delete: operations["deleteForm"];
        options?: never;
        head?: never;
        patch: operations["updateForm"];
        trace?: never;
    };
    "/api/v1/forms/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["showFormPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/forms/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getFormStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listImports"];
        put?: never;
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete: operations["deleteImport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/imports/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listImportErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/imports/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["showImportPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listKeys"];
        put?: never;
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/letters/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["showLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLists"];
        put?: never;
        post: operations["createList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getList"];
        put?: never;
        post?: never;
        delete: operations["deleteList"];
        options?: never;
        head?: never;
        patch: operations["updateList"];
        trace?: never;
    };
    "/api/v1/lists/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listListContacts"];
        put?: never;
        post: operations["addListContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lists/{id}/contacts/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeListContact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lists/{id}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getListOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateListOptions"];
        trace?: never;
    };
    "/api/v1/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMedia"];
        put?: never;
        post: operations["createMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteMedia"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listNodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["updatePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scoring-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listScoringRules"];
        put?: never;
        post: operations["createScoringRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scoring-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteScoringRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSegments"];
        put?: never;
        post: operations["createSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/segments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSegment"];
        put?: never;
        post?: never;
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        patch: operations["updateSegment"];
        trace?: never;
    };
    "/api/v1/segments/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSegmentContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/segments/{id}/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSegmentCount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/segments/{id}/uses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSegmentUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/segments/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["showSegmentPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSession"];
        put?: never;
        post: operations["createSession"];
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createSessionByPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["getPasskeyChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessionPasskeys"];
        put?: never;
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["getPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createTotpSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/totp/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["removeTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateSettings"];
        trace?: never;
    };
    "/api/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSuppressions"];
        put?: never;
        post: operations["createSuppression"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suppressions/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTemplates"];
        put?: never;
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        patch: operations["updateTemplate"];
        trace?: never;
    };
    "/api/v1/templates/{id}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["showRenderedTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/welcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["openWelcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/c/{token}/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["followLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/confirm/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showConfirmation"];
        put?: never;
        post: operations["confirmSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showForm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms/{id}/embed.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getFormScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{provider}/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["submitProviderReports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMediaFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/social/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSocialSign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/o/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["openMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/p/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showPreferencesPage"];
        put?: never;
        post: operations["updatePreferences"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/u/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showUnsubscribePage"];
        put?: never;
        post: operations["unsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/w/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showWebVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    automationWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveAutomationWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    eventMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Account: {
            email: string;
            id: string;
            totp: boolean;
        };
        ActionData: components["schemas"]["SendEmailAction"] | components["schemas"]["TagAction"] | components["schemas"]["ListAction"] | components["schemas"]["SetFieldAction"] | components["schemas"]["UnsubscribeAction"] | components["schemas"]["WebhookAction"];
        ActionNode: {
            data: components["schemas"]["ActionData"];
            id: string;
            /** @constant */
            type: "action";
        } & {
            [key: string]: unknown;
        };
        Addressee: {
            email: string;
            name?: string;
        };
        AllTests: {
            all: components["schemas"]["ConditionTest"][];
        } & {
            [key: string]: unknown;
        };
        AnyTest: {
            any: components["schemas"]["ConditionTest"][];
        } & {
            [key: string]: unknown;
        };
        ApiError: {
            code: components["schemas"]["ErrorCode"];
            message: string;
        };
        Attachment: {
            content: string;
            contentType?: string;
            filename: string;
        };
        Attribute: {
            contacts: number;
            name: string;
            types: ("string" | "number" | "boolean" | "list")[];
        };
        AttributeChanges: {
            [key: string]: string | number | boolean | string[] | null;
        };
        AttributeListResponse: {
            data: components["schemas"]["Attribute"][];
        };
        Attributes: {
            [key: string]: string | number | boolean | string[];
        };
        AuditEntry: {
            /** Format: date-time */
            at: string;
            name?: string | null;
            target: string | null;
            what: string;
            who: string;
        };
        AuditEntryPage: {
            data: components["schemas"]["AuditEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        Automation: {
            activeEnrollments: number;
            /** Format: date-time */
            createdAt: string;
            id: string;
            name: string;
            status: components["schemas"]["AutomationStatus"];
            /** Format: date-time */
            updatedAt: string;
        };
        AutomationCreate: {
            name?: string;
        };
        AutomationEventData: {
            automationId: string;
            contactId: string;
            enrollmentId: string;
        };
        AutomationPage: {
            data: components["schemas"]["Automation"][];
            pagination: components["schemas"]["Pagination"];
        };
        AutomationPreview: {
            html: string;
            problems: components["schemas"]["LetterProblem"][];
            sizeBytes: number;
            subject: string;
            text: string;
        };
        AutomationPreviewRequest: {
            contactId?: string;
            data?: {
                [key: string]: unknown;
            };
            nodeId?: string;
        };
        AutomationPreviewResponse: {
            data: components["schemas"]["AutomationPreview"];
        };
        AutomationResponse: {
            data: components["schemas"]["Automation"];
        };
        /** @enum {string} */
        AutomationStatus: "DRAFT" | "LIVE" | "PAUSED";
        AutomationUpdate: {
            flowJson?: components["schemas"]["Flow"];
            name?: string;
            status?: components["schemas"]["AutomationStatus"];
        };
        AutomationWebhook: {
            data: components["schemas"]["AutomationWebhookData"];
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            type: "automation.webhook";
        };
        AutomationWebhookData: {
            automationId: string;
            contact: components["schemas"]["Contact"];
            enrollmentId: string;
            event: components["schemas"]["Event"] | null;
            nodeId: string;
        };
        Backup: {
            /** Format: date-time */
            createdAt: string;
            error: string | null;
            id: string;
            progress: number | null;
            /** Format: int64 */
            sizeBytes: number | null;
            /** @enum {string} */
            state: "RUNNING" | "DONE" | "FAILED";
        };
        BackupFile: string;
        BackupListResponse: {
            data: components["schemas"]["Backup"][];
        };
        BackupResponse: {
            data: components["schemas"]["Backup"];
        };
        BackupUnlock: {
            password: string;
        };
        BackupUnlocked: {
            /** Format: date-time */
            until: string;
        };
        BackupUnlockedResponse: {
            data: components["schemas"]["BackupUnlocked"];
        };
        BlockedDomain: {
            /** Format: date-time */
            createdAt: string;
            domain: string;
        };
        BlockedDomainCreate: {
            domain: string;
        };
        BlockedDomainPage: {
            data: components["schemas"]["BlockedDomain"][];
            pagination: components["schemas"]["Pagination"];
        };
        BlockedDomainResponse: {
            data: components["schemas"]["BlockedDomain"];
        };
        Bounce: {
            from: string;
            id: string;
            /** Format: date-time */
            receivedAt: string;
            sizeBytes: number;
            subject: string;
            way: components["schemas"]["BounceWay"];
        };
        BounceMail: {
            from: string;
            id: string;
            /** Format: date-time */
            receivedAt: string;
            sizeBytes: number;
            source: string;
            subject: string;
            text: string;
            way: components["schemas"]["BounceWay"];
        };
        BounceMailResponse: {
            data: components["schemas"]["BounceMail"];
        };
        BouncePage: {
            data: components["schemas"]["Bounce"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        BounceWay: "smtp" | "mailbox" | "ses" | "postmark" | "mailgun" | "sendgrid" | "brevo" | "mailjet" | "sparkpost" | "resend";
        BulkError: {
            code: string;
            message: string;
        };
        Campaign: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            listId: string | null;
            name: string;
            /** Format: date-time */
            scheduledAt: string | null;
            /** Format: date-time */
            sentAt: string | null;
            stat: components["schemas"]["CampaignStat"] | null;
            status: components["schemas"]["CampaignStatus"];
            subject: string;
        };
        CampaignCheck: {
            estimatedSeconds: number;
            recipients: number;
            refusal: components["schemas"]["CampaignRefusal"] | null;
            skipped: {
                [key: string]: number;
            };
        };
        CampaignCheckResponse: {
            data: components["schemas"]["CampaignCheck"];
        };
        CampaignContent: {
            body: string;
            format: components["schemas"]["CampaignFormat"];
            preheader: string;
            subject: string;
            text: string | null;
        };
        CampaignContentResponse: {
            data: components["schemas"]["CampaignContent"];
        };
        CampaignCreate: {
            body: string;
            listId?: string | null;
            name: string;
            subject: string;
        };
        CampaignEventData: {
            campaign: components["schemas"]["Campaign"];
        };
        /** @enum {string} */
        CampaignFormat: "html" | "mjml";
        CampaignLink: {
            clicks: number;
            recipients: number;
            url: string;
        };
        CampaignLinkListResponse: {
            data: components["schemas"]["CampaignLink"][];
        };
        CampaignOptions: {
            excludeListIds: string[];
            excludeSegmentIds: string[];
            format: components["schemas"]["CampaignFormat"];
            fromEmail: string | null;
            fromName: string | null;
            personalize: boolean;
            preheader: string;
            replyTo: string | null;
            segmentId: string | null;
            text: string | null;
            topic: string | null;
            trackClicks: boolean | null;
            trackOpens: boolean | null;
            utm: components["schemas"]["Utm"] | null;
        };
        CampaignOptionsResponse: {
            data: components["schemas"]["CampaignOptions"];
        };
        CampaignOptionsUpdate: {
            excludeListIds?: string[];
            excludeSegmentIds?: string[];
            format?: components["schemas"]["CampaignFormat"];
            fromEmail?: string | null;
            fromName?: string | null;
            personalize?: boolean;
            preheader?: string;
            replyTo?: string | null;
            segmentId?: string | null;
            text?: string | null;
            topic?: string | null;
            trackClicks?: boolean | null;
            trackOpens?: boolean | null;
            utm?: components["schemas"]["UtmUpdate"] | null;
        };
        CampaignPage: {
            data: components["schemas"]["Campaign"][];
            pagination: components["schemas"]["Pagination"];
        };
        CampaignPreview: {
            html: string;
            preheader: string;
            problems: components["schemas"]["LetterProblem"][];
            sizeBytes: number;
            subject: string;
            text: string;
        };
        CampaignPreviewRequest: {
            contactId?: string;
        };
        CampaignPreviewResponse: {
            data: components["schemas"]["CampaignPreview"];
        };
        CampaignProgress: {
            complete: boolean;
            failed: number;
            remaining: number;
            sent: number;
        };
        CampaignProgressResponse: {
            data: components["schemas"]["CampaignProgress"];
        };
        CampaignRefusal: {
            code: string;
            message: string;
        };
        CampaignReport: {
            blocked: string | null;
            bounced: number;
            clicked: number;
            failed: number;
            /** Format: date-time */
            finishedAt: string | null;
            machine: components["schemas"]["MachineActivity"];
            opened: number;
            paused?: boolean;
            planned: number;
            reasons?: components["schemas"]["ReasonCount"][];
            remaining: number;
            sent: number;
            skipped: {
                [key: string]: number;
            };
            /** Format: date-time */
            startedAt: string | null;
            uncertain: number;
            unsubscribed: number;
            warmUp?: components["schemas"]["WarmUpShare"];
            warnings?: string[];
        };
        CampaignReportResponse: {
            data: components["schemas"]["CampaignReport"];
        };
        CampaignResponse: {
            data: components["schemas"]["Campaign"];
        };
        CampaignSchedule: {
            /** Format: date-time */
            scheduledAt: string;
        };
        CampaignSend: {
            excludeEmails?: string[];
            overrideQuietHours?: boolean;
        };
        CampaignStat: {
            bounced: number;
            clicked: number;
            delivered?: number;
            opened: number;
            sent: number;
            unsubscribed: number;
        };
        /** @enum {string} */
        CampaignStatus: "DRAFT" | "SCHEDULED" | "SENT";
        CampaignStep: {
            /** Format: date-time */
            at: string;
            bounced: number;
            clicked: number;
            opened: number;
            sent: number;
            unsubscribed: number;
        };
        CampaignStepListResponse: {
            data: components["schemas"]["CampaignStep"][];
        };
        CampaignTest: {
            contactId?: string;
            to: string | string[];
        };
        CampaignTestOutcome: {
            failed: number;
            recipients: components["schemas"]["TestRecipient"][];
            sent: number;
            skipped: number;
        };
        CampaignTestOutcomeResponse: {
            data: components["schemas"]["CampaignTestOutcome"];
        };
        CampaignUpdate: {
            body?: string;
            listId?: string | null;
            name?: string;
            subject?: string;
        };
        Check: {
            advice: string | null;
            id: string;
            level: components["schemas"]["CheckLevel"];
            record?: components["schemas"]["DnsRecord"] | null;
            text: string;
        };
        /** @enum {string} */
        CheckLevel: "ok" | "warning" | "problem";
        CheckListResponse: {
            data: components["schemas"]["Check"][];
        };
        ConditionData: components["schemas"]["AllTests"] | components["schemas"]["AnyTest"];
        ConditionNode: {
            data: components["schemas"]["ConditionData"];
            id: string;
            /** @constant */
            type: "condition";
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        ConditionOp: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "exists" | "notExists" | "greaterThan" | "lessThan" | "before" | "after" | "withinDays";
        ConditionTest: {
            field: string;
            op: components["schemas"]["ConditionOp"];
            value?: unknown;
            withinDays?: number;
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        Consent: "explicit" | "declined";
        /** @enum {string} */
        ConsentAction: "GIVEN" | "WITHDRAWN";
        ConsentEntry: {
            action: components["schemas"]["ConsentAction"];
            /** Format: date-time */
            at: string;
            clientAddress: string | null;
            contactId: string | null;
            /** Format: email */
            email: string;
            formId: string | null;
            listId: string | null;
            reason: string | null;
            source: components["schemas"]["ConsentSource"];
            userAgent: string | null;
        };
        ConsentEntryPage: {
            data: components["schemas"]["ConsentEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        ConsentSource: "api" | "form" | "confirmation" | "unsubscribe" | "bounce" | "complaint" | "admin" | "preferences" | "import";
        Contact: {
            attributes?: components["schemas"]["Attributes"];
            /** Format: date-time */
            createdAt: string;
            /** Format: email */
            email: string;
            firstName: string;
            id: string;
            lastName: string;
            /** Format: date-time */
            lastOpenedAt?: string | null;
            status: components["schemas"]["ContactStatus"];
            tags: string[];
        };
        /** @enum {string} */
        ContactAction: "addTag" | "removeTag" | "addToList" | "removeFromList" | "delete";
        ContactCreate: {
            attributes?: components["schemas"]["AttributeChanges"];
            consent?: components["schemas"]["Consent"];
            email: string;
            firstName?: string;
            lastName?: string;
            status?: components["schemas"]["ContactStatus"];
            tags?: string[];
        };
        ContactEventData: {
            contact: components["schemas"]["Contact"];
        };
        ContactList: {
            contactCount: number;
            /** Format: date-time */
            createdAt: string;
            id: string;
            name: string;
            orgId: string;
        };
        ContactListPage: {
            data: components["schemas"]["ContactList"][];
            pagination: components["schemas"]["Pagination"];
        };
        ContactListResponse: {
            data: components["schemas"]["ContactList"];
        };
        ContactPage: {
            data: components["schemas"]["Contact"][];
            pagination: components["schemas"]["Pagination"];
        };
        ContactResponse: {
            data: components["schemas"]["Contact"];
        };
        ContactsAction: {
            action: components["schemas"]["ContactAction"];
            contactIds?: string[];
            listId?: string;
            rules?: components["schemas"]["SegmentRules"];
            startAutomations?: boolean;
            tag?: string;
        };
        ContactsActionProblem: {
            email: string;
            id: string;
            message: string;
        };
        ContactsActionResult: {
            changed: number;
            changedIds: string[];
            nextCursor: string | null;
            problems: components["schemas"]["ContactsActionProblem"][];
            refused: number;
            unchanged: number;
        };
        ContactsActionResultResponse: {
            data: components["schemas"]["ContactsActionResult"];
        };
        ContactsCreate: {
            contacts: components["schemas"]["ContactCreate"][];
            listId?: string;
            startAutomations?: boolean;
        };
        ContactsCsv: string;
        ContactSearch: {
            rules: components["schemas"]["SegmentRules"];
        };
        ContactsExport: {
            contactIds?: string[];
            /** @enum {string} */
            format?: "csv" | "jsonl";
            rules?: components["schemas"]["SegmentRules"];
        };
        ContactsJsonLines: string;
        ContactsResult: {
            created: number;
            failed: number;
            results: components["schemas"]["ContactsResultItem"][];
            updated: number;
        };
        ContactsResultItem: {
            error: components["schemas"]["BulkError"] | null;
            id: string | null;
            index: number;
            outcome: components["schemas"]["ContactsResultOutcome"];
        };
        /** @enum {string} */
        ContactsResultOutcome: "CREATED" | "UPDATED" | "FAILED";
        ContactsResultResponse: {
            data: components["schemas"]["ContactsResult"];
        };
        /** @enum {string} */
        ContactStatus: "PENDING" | "SUBSCRIBED" | "UNSUBSCRIBED" | "BOUNCED";
        ContactUpdate: {
            attributes?: components["schemas"]["AttributeChanges"];
            consent?: components["schemas"]["Consent"];
            email?: string;
            firstName?: string | null;
            lastName?: string | null;
            status?: components["schemas"]["ContactStatus"];
            tags?: string[];
        };
        CreatedKey: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            key: string;
            /** Format: date-time */
            lastUsedAt: string | null;
            name: string;
            prefix: string;
            /** Format: date-time */
            revokedAt: string | null;
            scope?: components["schemas"]["KeyScope"];
        };
        CreatedKeyResponse: {
            data: components["schemas"]["CreatedKey"];
        };
        CreatedUser: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            id: string;
            /** Format: date-time */
            lastSeenAt: string | null;
            link: string;
            role: components["schemas"]["Role"];
        };
        CreatedUserResponse: {
            data: components["schemas"]["CreatedUser"];
        };
        CustomEventTrigger: {
            eventName: string;
            reenroll?: components["schemas"]["Reenroll"];
            /** @constant */
            trigger: "custom_event";
        } & {
            [key: string]: unknown;
        };
        DeliveriesCsv: string;
        Delivery: {
            attempts: number;
            contactId: string | null;
            detail?: string;
            /** Format: email */
            email: string;
            reason: string | null;
            /** Format: date-time */
            sentAt: string | null;
            smtpReply: string | null;
            state: components["schemas"]["DeliveryState"];
        };
        DeliveryPage: {
            data: components["schemas"]["Delivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        DeliveryState: "QUEUED" | "SENDING" | "SENT" | "BOUNCED" | "FAILED" | "UNCERTAIN" | "SKIPPED";
        DnsRecord: {
            name: string;
            type: components["schemas"]["DnsRecordType"];
            value: string;
        };
        /** @enum {string} */
        DnsRecordType: "TXT" | "MX";
        DuplicateEvent: {
            /** Format: date-time */
            createdAt: string;
            duplicate: boolean;
            id: string;
        };
        DuplicateEventResponse: {
            /** Format: date-time */
            createdAt: string;
            data: components["schemas"]["DuplicateEvent"];
            duplicate: boolean;
            id: string;
        };
        EmailEventData: {
            automationId: string | null;
            campaignId: string | null;
            contactId: string | null;
            /** Format: email */
            email: string;
            messageId: string | null;
            reason?: string | null;
            url?: string;
        };
        EndData: {
            [key: string]: unknown;
        };
        EndNode: {
            data: components["schemas"]["EndData"];
            id: string;
            /** @constant */
            type: "end";
        } & {
            [key: string]: unknown;
        };
        Enrollment: {
            /** Format: date-time */
            completedAt: string | null;
            contactId: string;
            currentNodeId: string;
            email?: string;
            /** Format: date-time */
            enrolledAt: string;
            errorMessage: string | null;
            id: string;
            /** Format: date-time */
            nextRunAt: string;
            status: components["schemas"]["EnrollmentStatus"];
        };
        EnrollmentPage: {
            data: components["schemas"]["Enrollment"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        EnrollmentStatus: "ACTIVE" | "COMPLETED" | "FAILED";
        EnteredWorkspace: {
            id: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "editor" | "viewer";
        };
        /** @enum {string} */
        ErrorCode: "BAD_REQUEST" | "INVALID_JSON" | "UNAUTHORIZED" | "CODE_REQUIRED" | "QUOTA_EXCEEDED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "VALIDATION_ERROR" | "CAMPAIGN_ALREADY_SENT" | "AUTOMATION_WRONG_STATE" | "WRONG_STATE" | "RATE_LIMITED" | "INTERNAL_ERROR" | "SEND_FAILED" | "UNAVAILABLE";
        ErrorResponse: {
            error: components["schemas"]["ApiError"];
        };
        Event: {
            contactId: string;
            /** Format: date-time */
            createdAt: string;
            currency: string | null;
            id: string;
            name: string;
            properties: {
                [key: string]: unknown;
            };
            /** Format: int64 */
            valueCents: number | null;
        };
        EventCreate: {
            contactId?: string;
            currency?: string;
            email?: string;
            externalId?: string;
            name: string;
            properties?: {
                [key: string]: unknown;
            };
            value?: number;
            /** Format: int64 */
            valueCents?: number;
        };
        EventMessage: {
            data: components["schemas"]["ContactEventData"] | components["schemas"]["EmailEventData"] | components["schemas"]["CampaignEventData"] | components["schemas"]["FormEventData"] | components["schemas"]["AutomationEventData"] | components["schemas"]["TestEventData"];
            /** Format: date-time */
            timestamp: string;
            type: components["schemas"]["EventMessageType"];
        };
        /** @enum {string} */
        EventMessageType: "contact.created" | "contact.updated" | "contact.subscribed" | "contact.unsubscribed" | "contact.deleted" | "email.sent" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.failed" | "campaign.started" | "campaign.finished" | "form.submitted" | "automation.completed" | "automation.failed" | "webhook.test";
        EventPage: {
            data: components["schemas"]["Event"][];
            pagination: components["schemas"]["Pagination"];
        };
        EventsCreate: {
            events: components["schemas"]["EventCreate"][];
        };
        EventsResult: {
            duplicates: number;
            failed: number;
            recorded: number;
            results: components["schemas"]["EventsResultItem"][];
        };
        EventsResultItem: {
            error: components["schemas"]["BulkError"] | null;
            id: string | null;
            index: number;
            outcome: components["schemas"]["EventsResultOutcome"];
        };
        /** @enum {string} */
        EventsResultOutcome: "RECORDED" | "DUPLICATE" | "FAILED";
        EventsResultResponse: {
            data: components["schemas"]["EventsResult"];
        };
        Figures: {
            bounced: number;
            clicked: number;
            complained: number;
            delivered?: number;
            events: number;
            newContacts: number;
            opened: number;
            sent: number;
            unsubscribed: number;
        };
        FiguresStep: {
            /** Format: date-time */
            at: string;
            bounced: number;
            clicked: number;
            complained: number;
            delivered?: number;
            events: number;
            newContacts: number;
            opened: number;
            sent: number;
            unsubscribed: number;
        };
        Flow: {
            edges: components["schemas"]["FlowEdge"][];
            nodes: components["schemas"]["FlowNode"][];
        } & {
            [key: string]: unknown;
        };
        FlowEdge: {
            source: string;
            sourceHandle?: unknown;
            target: string;
        } & {
            [key: string]: unknown;
        };
        FlowNode: components["schemas"]["TriggerNode"] | components["schemas"]["WaitNode"] | components["schemas"]["ConditionNode"] | components["schemas"]["ActionNode"] | components["schemas"]["EndNode"] | components["schemas"]["OtherNode"];
        FlowResponse: {
            data: components["schemas"]["Flow"];
        };
        Form: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uri */
            embedUrl: string;
            fields: string[];
            id: string;
            listId: string | null;
            name: string;
            style: components["schemas"]["FormStyle"];
            successMessage: string;
            /** Format: date-time */
            updatedAt: string;
        };
        FormCreate: {
            fields?: string[];
            listId?: string | null;
            name: string;
            successMessage?: string;
        };
        FormError: {
            error: string;
        };
        FormEventData: {
            contactId: string | null;
            /** Format: email */
            email: string;
            formId: string;
        };
        FormPage: {
            data: components["schemas"]["Form"][];
            pagination: components["schemas"]["Pagination"];
        };
        FormPreview: {
            html: string;
        };
        FormPreviewResponse: {
            data: components["schemas"]["FormPreview"];
        };
        FormResponse: {
            data: components["schemas"]["Form"];
        };
        FormStats: {
            asked: number;
            confirmed: number;
            joined: number;
            left: number;
        };
        FormStatsResponse: {
            data: components["schemas"]["FormStats"];
        };
        FormStyle: {
            [key: string]: unknown;
        };
        FormSubmission: {
            email: string;
            firstName?: string;
            lastName?: string;
        };
        FormSubmitted: {
            message: string;
            ok: boolean;
        };
        FormUpdate: {
            fields?: string[];
            listId?: string | null;
            name?: string;
            style?: components["schemas"]["FormStyle"];
            successMessage?: string;
        };
        Import: {
            created: number;
            /** Format: date-time */
            createdAt: string;
            error: string | null;
            failed: number;
            fileName: string;
            /** Format: date-time */
            finishedAt: string | null;
            format?: components["schemas"]["ImportFormat"];
            id: string;
            rows: number;
            share?: number | null;
            skipped: number;
            state: components["schemas"]["ImportState"];
            updated: number;
        };
        ImportColumn: {
            header: string;
            samples: string[];
            suggested: string | null;
            type?: components["schemas"]["ImportColumnType"];
        };
        /** @enum {string} */
        ImportColumnType: "text" | "number" | "number-comma" | "boolean" | "date" | "date-dmy" | "date-mdy";
        /** @enum {string} */
        ImportEncoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "iso-8859-2" | "iso-8859-5" | "iso-8859-7" | "iso-8859-13" | "iso-8859-15" | "iso-8859-16" | "ibm866" | "koi8-r" | "koi8-u" | "macintosh" | "shift_jis" | "euc-jp" | "euc-kr" | "gb18030" | "big5";
        ImportError: {
            line: number;
            message: string;
        };
        ImportErrorPage: {
            data: components["schemas"]["ImportError"][];
            pagination: components["schemas"]["Pagination"];
        };
        ImportFormat: {
            delimiter: string;
            encoding: components["schemas"]["ImportEncoding"];
        };
        ImportOptions: {
            delimiter?: string;
            /** @enum {string} */
            encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "iso-8859-2" | "iso-8859-5" | "iso-8859-7" | "iso-8859-13" | "iso-8859-15" | "iso-8859-16" | "ibm866" | "koi8-r" | "koi8-u" | "macintosh" | "shift_jis" | "euc-jp" | "euc-kr" | "gb18030" | "big5";
            /** @enum {string} */
            existing?: "update" | "keep";
            listIds?: string[];
            mapping?: {
                [key: string]: unknown;
            };
            startAutomations?: boolean;
            /** @enum {string} */
            status?: "PENDING" | "SUBSCRIBED" | "UNSUBSCRIBED" | "BOUNCED";
            types?: {
                [key: string]: components["schemas"]["ImportColumnType"];
            };
            /** @enum {string} */
            unknownColumns?: "ignore" | "attributes";
        };
        ImportPage: {
            data: components["schemas"]["Import"][];
            pagination: components["schemas"]["Pagination"];
        };
        ImportPreview: {
            columns: components["schemas"]["ImportColumn"][];
            delimiter: string;
            encoding: components["schemas"]["ImportEncoding"];
            refusal?: string | null;
            rows?: components["schemas"]["ImportPreviewRow"][];
            source: components["schemas"]["ImportSource"] | null;
        };
        ImportPreviewContact: {
            attributes: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            consentAt: string | null;
            email: string;
            firstName: string | null;
            lastName: string | null;
            status: string;
            tags: string[] | null;
        };
        ImportPreviewResponse: {
            data: components["schemas"]["ImportPreview"];
        };
        ImportPreviewRow: {
            contact: components["schemas"]["ImportPreviewContact"] | null;
            line: number;
            message: string | null;
        };
        ImportResponse: {
            data: components["schemas"]["Import"];
        };
        /** @enum {string} */
        ImportSource: "postrider" | "listmonk" | "mailchimp" | "brevo" | "keila" | "substack";
        /** @enum {string} */
        ImportState: "RUNNING" | "DONE" | "FAILED" | "CANCELLED";
        ImportUpload: {
            /** Format: binary */
            file: string;
            options?: components["schemas"]["ImportOptions"];
        };
        Key: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            /** Format: date-time */
            lastUsedAt: string | null;
            name: string;
            prefix: string;
            /** Format: date-time */
            revokedAt: string | null;
            scope?: components["schemas"]["KeyScope"];
        };
        KeyCreate: {
            name?: string;
            scope?: components["schemas"]["KeyScope"];
        };
        KeyPage: {
            data: components["schemas"]["Key"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        KeyScope: "full" | "send" | "read";
        LetterAddress: {
            /** Format: date-time */
            expiresAt: string;
            path: string;
        };
        LetterAddressResponse: {
            data: components["schemas"]["LetterAddress"];
        };
        LetterPreviewRequest: {
            html: string;
        };
        LetterProblem: {
            column: number | null;
            line: number | null;
            message: string;
            severity: components["schemas"]["ProblemSeverity"];
        };
        ListAction: {
            /** @enum {string} */
            action: "add_to_list" | "remove_from_list";
            listId: string;
        } & {
            [key: string]: unknown;
        };
        ListContactsAdd: {
            contactId?: string;
            contactIds?: string[];
        };
        ListContactsAdded: {
            added: number;
            skipped: number;
        };
        ListContactsAddedResponse: {
            data: components["schemas"]["ListContactsAdded"];
        };
        ListCreate: {
            name: string;
        };
        ListOptions: {
            description: string;
            public: boolean;
            publicName: string;
        };
        ListOptionsResponse: {
            data: components["schemas"]["ListOptions"];
        };
        ListOptionsUpdate: {
            description?: string;
            public?: boolean;
            publicName?: string;
        };
        ListUpdate: {
            name: string;
        };
        MachineActivity: {
            clicked: number;
            opened: number;
            suspected: number;
        };
        Mailable: {
            mailable: boolean;
            reasons: components["schemas"]["NotMailed"][];
        };
        MailableResponse: {
            data: components["schemas"]["Mailable"];
        };
        Media: {
            bytes: number;
            /** Format: date-time */
            createdAt: string;
            height: number;
            id: string;
            name: string;
            type: components["schemas"]["MediaType"];
            /** Format: uri */
            url: string;
            width: number;
        };
        MediaPage: {
            data: components["schemas"]["Media"][];
            pagination: components["schemas"]["Pagination"];
        };
        MediaResponse: {
            data: components["schemas"]["Media"];
        };
        /** @enum {string} */
        MediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
        MediaUpload: {
            /** Format: binary */
            file: string;
        };
        Membership: {
            /** Format: date-time */
            addedAt: string;
            /** Format: date-time */
            createdAt: string;
            id: string;
            name: string;
        };
        MembershipListResponse: {
            data: components["schemas"]["Membership"][];
        };
        Message: {
            attempts: number;
            contactId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: email */
            email: string;
            id: string;
            messageId: string | null;
            reason: string | null;
            sendId: string;
            /** Format: date-time */
            sentAt: string | null;
            smtpReply: string | null;
            state: components["schemas"]["MessageState"];
            tags: string[];
        };
        MessageMoment: {
            /** Format: date-time */
            at: string;
            what: components["schemas"]["MessageMomentKind"];
            words: string | null;
        };
        /** @enum {string} */
        MessageMomentKind: "REQUESTED" | "SENT" | "BOUNCED" | "FAILED" | "UNCERTAIN" | "SKIPPED" | "REPORTED" | "COMPLAINED";
        MessageOutcome: {
            failed: number;
            id: string;
            recipients: components["schemas"]["MessageRecipient"][];
            sent: number;
            skipped: number;
        };
        MessageOutcomeResponse: {
            data: components["schemas"]["MessageOutcome"];
        };
        MessagePage: {
            data: components["schemas"]["Message"][];
            pagination: components["schemas"]["Pagination"];
        };
        MessageRecipient: {
            /** Format: email */
            email: string;
            messageId: string | null;
            reason: string | null;
            status: components["schemas"]["RecipientStatus"];
        };
        MessageSend: {
            attachments?: components["schemas"]["Attachment"][];
            body?: string;
            from?: string;
            fromName?: string;
            headers?: {
                [key: string]: string;
            };
            html?: string;
            mjml?: string;
            replyTo?: string;
            subject?: string;
            tags?: string[];
            templateId?: string;
            text?: string;
            to: string | components["schemas"]["Addressee"] | (string | components["schemas"]["Addressee"])[];
            variables?: {
                [key: string]: unknown;
            };
        };
        /** @enum {string} */
        MessageState: "QUEUED" | "SENT" | "BOUNCED" | "FAILED" | "UNCERTAIN" | "SKIPPED";
        MessageStory: {
            attempts: number;
            contactId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: email */
            email: string;
            history: components["schemas"]["MessageMoment"][];
            id: string;
            messageId: string | null;
            reason: string | null;
            sendId: string;
            /** Format: date-time */
            sentAt: string | null;
            smtpReply: string | null;
            state: components["schemas"]["MessageState"];
            tags: string[];
        };
        MessageStoryResponse: {
            data: components["schemas"]["MessageStory"];
        };
        Moment: {
            /** Format: date-time */
            at: string;
            details: {
                [key: string]: unknown;
            };
            id: string;
            kind: components["schemas"]["MomentKind"];
            text: string;
        };
        /** @enum {string} */
        MomentKind: "consent" | "suppression" | "list" | "delivery" | "opened" | "clicked" | "event" | "enrollment" | "bounce";
        MomentPage: {
            data: components["schemas"]["Moment"][];
            pagination: components["schemas"]["Pagination"];
        };
        NewSubscriberTrigger: {
            reenroll?: components["schemas"]["Reenroll"];
            /** @constant */
            trigger: "new_subscriber";
        } & {
            [key: string]: unknown;
        };
        Node: {
            answered: boolean;
            /** Format: date-time */
            lastSeenAt: string;
            name: string;
            number: number;
            slices: number;
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            state: "LIVE" | "ENDED";
            version: string;
        };
        NodeFigures: {
            clicked: number;
            completed: number;
            entered: number;
            failed: number;
            nodeId: string;
            opened: number;
            sent: number;
            waiting: number;
        };
        NodeFiguresListResponse: {
            data: components["schemas"]["NodeFigures"][];
        };
        NodeListResponse: {
            data: components["schemas"]["Node"][];
        };
        NotMailed: {
            code: components["schemas"]["NotMailedCode"];
            message: string;
            /** Format: date-time */
            since: string | null;
        };
        /** @enum {string} */
        NotMailedCode: "PENDING" | "UNSUBSCRIBED" | "BOUNCED" | "SUPPRESSED" | "BLOCKED_DOMAIN";
        OtherData: {
            [key: string]: unknown;
        };
        OtherNode: {
            data: components["schemas"]["OtherData"];
            id: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        Pagination: {
            hasMore: boolean;
            limit: number;
            nextCursor: string | null;
            total: number;
        };
        Passkey: {
            /** Format: date-time */
            createdAt: string;
            host: string;
            id: string;
            /** Format: date-time */
            lastUsedAt: string | null;
            name: string;
        };
        PasskeyAdd: {
            credential: {
                id: string;
                response: {
                    attestationObject: string;
                    clientDataJSON: string;
                };
            };
            name: string;
        };
        PasskeyCreation: {
            /** @enum {string} */
            attestation: "none";
            authenticatorSelection: {
                requireResidentKey: boolean;
                /** @enum {string} */
                residentKey: "required";
                /** @enum {string} */
                userVerification: "required";
            };
            challenge: string;
            excludeCredentials: {
                id: string;
                /** @enum {string} */
                type: "public-key";
            }[];
            pubKeyCredParams: {
                alg: number;
                /** @enum {string} */
                type: "public-key";
            }[];
            rp: {
                id: string;
                name: string;
            };
            timeout: number;
            user: {
                displayName: string;
                id: string;
                name: string;
            };
        };
        PasskeyCreationResponse: {
            data: components["schemas"]["PasskeyCreation"];
        };
        PasskeyListResponse: {
            data: components["schemas"]["Passkey"][];
        };
        PasskeyProposal: {
            password: string;
        };
        PasskeyRequest: {
            challenge: string;
            rpId: string;
            timeout: number;
            /** @enum {string} */
            userVerification: "required";
        };
        PasskeyRequestResponse: {
            data: components["schemas"]["PasskeyRequest"];
        };
        PasskeyResponse: {
            data: components["schemas"]["Passkey"];
        };
        PasskeyUse: {
            credential: {
                id: string;
                response: {
                    authenticatorData: string;
                    clientDataJSON: string;
                    signature: string;
                    userHandle: string;
                };
            };
            stay?: boolean;
        };
        PasswordChange: {
            current: string;
            password: string;
        };
        PresentPassword: {
            password: string;
        };
        PreviewUpload: {
            /** Format: binary */
            file: string;
            options?: components["schemas"]["ImportOptions"];
        };
        Problem: {
            message: string;
            nodeId: string | null;
            path: string;
        };
        ProblemListResponse: {
            data: components["schemas"]["Problem"][];
        };
        /** @enum {string} */
        ProblemSeverity: "error" | "warning";
        ProviderEvent: unknown;
        ReasonCount: {
            count: number;
            reason: string;
            state: components["schemas"]["ReasonState"];
        };
        /** @enum {string} */
        ReasonState: "QUEUED" | "SENDING" | "SENT" | "BOUNCED" | "FAILED" | "UNCERTAIN" | "SKIPPED";
        /** @enum {string} */
        RecipientStatus: "SENT" | "FAILED" | "SKIPPED" | "UNCERTAIN";
        RecordedEvent: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            name: string;
        };
        RecordedEventResponse: {
            data: components["schemas"]["RecordedEvent"];
        };
        /** @enum {string} */
        Reenroll: "once" | "each_time";
        RelayTrouble: {
            relay: string;
            trouble: string;
        };
        RenderedTemplate: {
            html: string;
            problems: components["schemas"]["LetterProblem"][];
            subject: string;
            text: string;
        };
        RenderedTemplateResponse: {
            data: components["schemas"]["RenderedTemplate"];
        };
        RevokedKey: {
            id: string;
            /** Format: date-time */
            revokedAt: string;
        };
        RevokedKeyResponse: {
            data: components["schemas"]["RevokedKey"];
        };
        /** @enum {string} */
        Role: "owner" | "editor" | "viewer";
        ScheduledCampaign: {
            id: string;
            name: string;
            /** Format: date-time */
            scheduledAt: string;
            /** @constant */
            status: "SCHEDULED";
        };
        ScheduledCampaignResponse: {
            data: components["schemas"]["ScheduledCampaign"];
        };
        Score: {
            contactId: string;
            score: number;
        };
        ScoreResponse: {
            data: components["schemas"]["Score"];
        };
        ScoringRule: {
            /** Format: date-time */
            createdAt: string;
            event: string;
            id: string;
            /** Format: int64 */
            minValueCents: number | null;
            points: number;
        };
        ScoringRuleCreate: {
            event: string;
            /** Format: int64 */
            minValueCents?: number | null;
            points: number;
        };
        ScoringRulePage: {
            data: components["schemas"]["ScoringRule"][];
            pagination: components["schemas"]["Pagination"];
        };
        ScoringRuleResponse: {
            data: components["schemas"]["ScoringRule"];
        };
        Segment: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            name: string;
            rules: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            updatedAt: string;
        };
        SegmentAll: {
            all: components["schemas"]["SegmentRule"][];
        };
        SegmentAny: {
            any: components["schemas"]["SegmentRule"][];
        };
        SegmentCondition: {
            field: string;
            name?: string;
            op: string;
            value?: unknown;
            where?: components["schemas"]["SegmentPropertyTest"][];
            withinDays?: number;
        };
        SegmentCount: {
            subscribed: number;
            total: number;
        };
        SegmentCountResponse: {
            data: components["schemas"]["SegmentCount"];
        };
        SegmentCreate: {
            name: string;
            rules: components["schemas"]["SegmentRules"];
        };
        SegmentNot: {
            not: components["schemas"]["SegmentRule"];
        };
        SegmentPage: {
            data: components["schemas"]["Segment"][];
            pagination: components["schemas"]["Pagination"];
        };
        SegmentPreview: {
            sample: components["schemas"]["Contact"][];
            subscribed: number;
            total: number;
        };
        SegmentPreviewRequest: {
            rules: components["schemas"]["SegmentRules"];
        };
        SegmentPreviewResponse: {
            data: components["schemas"]["SegmentPreview"];
        };
        SegmentPropertyTest: {
            op: string;
            property: string;
            value?: unknown;
        };
        SegmentResponse: {
            data: components["schemas"]["Segment"];
        };
        SegmentRule: {
            [key: string]: unknown;
        };
        SegmentRules: components["schemas"]["SegmentAll"] | components["schemas"]["SegmentAny"] | components["schemas"]["SegmentNot"] | components["schemas"]["SegmentCondition"];
        SegmentUpdate: {
            name?: string;
            rules?: components["schemas"]["SegmentRules"];
        };
        SegmentUser: {
            id: string;
            kind: components["schemas"]["SegmentUserKind"];
            name: string;
        };
        /** @enum {string} */
        SegmentUserKind: "segment" | "campaign";
        SegmentUserListResponse: {
            data: components["schemas"]["SegmentUser"][];
        };
        SendEmailAction: {
            /** @constant */
            action: "send_email";
            html?: string;
            mjml?: string;
            subject: string;
        } & {
            [key: string]: unknown;
        };
        Session: {
            /** Format: date-time */
            createdAt: string;
            current: boolean;
            id: string;
            /** Format: date-time */
            lastSeenAt: string;
        };
        SessionListResponse: {
            data: components["schemas"]["Session"][];
        };
        SetFieldAction: {
            /** @constant */
            action: "set_field";
            field: string;
            value?: string | number | boolean | string[];
        } & {
            [key: string]: unknown;
        };
        Settings: {
            allowedOrigins: string[];
            allowPrivateWebhooks: boolean;
            autoPause: boolean;
            bounceDomain: string;
            bounceMailbox: string;
            brandColor: string;
            /** Format: int64 */
            dailyCap: number | null;
            dkimDomain: string;
            dkimPrivateKeyFile: string;
            dkimSelector: string;
            domainLimits: {
                [key: string]: {
                    /** Format: int64 */
                    connections?: number;
                    /** Format: int64 */
                    perHour?: number;
                };
            } | null;
            doubleOptIn: boolean;
            fromEmail: string;
            fromName: string;
            hookSecret: boolean;
            inboundComplaints: boolean;
            language: string;
            logoUrl: string;
            mailgunSigningKey: boolean;
            mailingAddress: string;
            /** Format: int64 */
            monthlyLimit: number | null;
            name: string;
            quietHours: string | null;
            replyTo: string;
            resendSigningSecret: boolean;
            senderDomains: string[];
            sendgridPublicKey: string;
            sending: boolean;
            smtpUrl: string;
            suspended: boolean;
            timezone: string;
            trackClicks: boolean;
            trackOpens: boolean;
            warmUp: string | null;
            webhookSecret: boolean;
        };
        SettingsResponse: {
            data: components["schemas"]["Settings"];
        };
        SettingsUpdate: {
            allowedOrigins?: string[];
            autoPause?: boolean;
            bounceDomain?: string;
            bounceMailbox?: string;
            brandColor?: string;
            /** Format: int64 */
            dailyCap?: number | null;
            dkimDomain?: string;
            dkimSelector?: string;
            domainLimits?: {
                [key: string]: {
                    /** Format: int64 */
                    connections?: number;
                    /** Format: int64 */
                    perHour?: number;
                };
            } | null;
            doubleOptIn?: boolean;
            fromEmail?: string;
            fromName?: string;
            hookSecret?: string;
            inboundComplaints?: boolean;
            language?: string;
            logoUrl?: string;
            mailgunSigningKey?: string;
            mailingAddress?: string;
            name?: string;
            quietHours?: string | null;
            replyTo?: string;
            resendSigningSecret?: string;
            senderDomains?: string[];
            sendgridPublicKey?: string;
            sending?: boolean;
            smtpUrl?: string;
            timezone?: string;
            trackClicks?: boolean;
            trackOpens?: boolean;
            warmUp?: string | null;
            webhookSecret?: string;
        };
        SignedIn: {
            user: components["schemas"]["Account"];
            workspaces: components["schemas"]["EnteredWorkspace"][];
        };
        SignedInResponse: {
            data: components["schemas"]["SignedIn"];
        };
        SignIn: {
            code?: string;
            email: string;
            password: string;
            stay?: boolean;
        };
        SimulatedStep: {
            /** Format: date-time */
            at: string;
            nodeId: string;
            says: string;
            subject: string | null;
            type: string;
        };
        Simulation: {
            errorMessage: string | null;
            status: components["schemas"]["SimulationStatus"];
            steps: components["schemas"]["SimulatedStep"][];
        };
        SimulationRequest: {
            days?: number;
            email: string;
            eventName?: string | null;
            opens?: boolean;
            properties?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            startAt?: string | null;
        };
        SimulationResponse: {
            data: components["schemas"]["Simulation"];
        };
        /** @enum {string} */
        SimulationStatus: "ACTIVE" | "COMPLETED" | "FAILED";
        Stats: {
            series: components["schemas"]["FiguresStep"][];
            totals: components["schemas"]["Figures"];
        };
        StatsResponse: {
            data: components["schemas"]["Stats"];
        };
        Suppression: {
            /** Format: date-time */
            createdAt: string;
            /** Format: email */
            email: string;
            reason: components["schemas"]["SuppressionReason"];
            source: components["schemas"]["SuppressionSource"] | null;
        };
        SuppressionCreate: {
            email: string;
            reason?: components["schemas"]["SuppressionReason"];
        };
        SuppressionPage: {
            data: components["schemas"]["Suppression"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @enum {string} */
        SuppressionReason: "HARD_BOUNCE" | "COMPLAINT" | "MANUAL" | "UNSUBSCRIBED";
        SuppressionResponse: {
            data: components["schemas"]["Suppression"];
        };
        /** @enum {string} */
        SuppressionSource: "api" | "form" | "confirmation" | "unsubscribe" | "bounce" | "complaint" | "admin" | "preferences" | "import";
        Tag: {
            contacts: number;
            tag: string;
        };
        TagAction: {
            /** @enum {string} */
            action: "add_tag" | "remove_tag";
            tag: string;
        } & {
            [key: string]: unknown;
        };
        TagAddedTrigger: {
            reenroll?: components["schemas"]["Reenroll"];
            tag: string;
            /** @constant */
            trigger: "tag_added";
        } & {
            [key: string]: unknown;
        };
        TagListResponse: {
            data: components["schemas"]["Tag"][];
        };
        TakenReports: {
            reports: number;
        };
        TakenReportsResponse: {
            data: components["schemas"]["TakenReports"];
        };
        TaskAge: {
            lastTickSeconds: number;
            task: string;
        };
        Template: {
            /** Format: date-time */
            createdAt: string;
            format: components["schemas"]["TemplateFormat"];
            id: string;
            name: string;
            subject: string;
            /** Format: date-time */
            updatedAt: string;
        };
        TemplateCreate: {
            body: string;
            format?: components["schemas"]["TemplateFormat"];
            name: string;
            subject: string;
        };
        /** @enum {string} */
        TemplateFormat: "html" | "mjml";
        TemplatePage: {
            data: components["schemas"]["Template"][];
            pagination: components["schemas"]["Pagination"];
        };
        TemplateRenderRequest: {
            variables?: {
                [key: string]: unknown;
            };
        };
        TemplateResponse: {
            data: components["schemas"]["Template"];
        };
        TemplateUpdate: {
            body?: string;
            format?: components["schemas"]["TemplateFormat"];
            name?: string;
            subject?: string;
        };
        TemplateWithBody: {
            body: string;
            /** Format: date-time */
            createdAt: string;
            format: components["schemas"]["TemplateFormat"];
            id: string;
            name: string;
            subject: string;
            /** Format: date-time */
            updatedAt: string;
        };
        TemplateWithBodyResponse: {
            data: components["schemas"]["TemplateWithBody"];
        };
        TestEventData: {
            webhookId: string;
        };
        TestRecipient: {
            email: string;
            reason: string | null;
            status: components["schemas"]["TestStatus"];
        };
        /** @enum {string} */
        TestStatus: "SENT" | "FAILED" | "SKIPPED" | "UNCERTAIN";
        TotpConfirm: {
            code: string;
        };
        TotpSecret: {
            secret: string;
            uri: string;
        };
        TotpSecretResponse: {
            data: components["schemas"]["TotpSecret"];
        };
        TriggerData: components["schemas"]["NewSubscriberTrigger"] | components["schemas"]["TagAddedTrigger"] | components["schemas"]["CustomEventTrigger"];
        TriggerNode: {
            data: components["schemas"]["TriggerData"];
            id: string;
            /** @constant */
            type: "trigger";
        } & {
            [key: string]: unknown;
        };
        UnsubscribeAction: {
            /** @enum {string} */
            action: "unsubscribe";
        } & {
            [key: string]: unknown;
        };
        User: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            id: string;
            /** Format: date-time */
            lastSeenAt: string | null;
            role: components["schemas"]["Role"];
        };
        UserCreate: {
            email: string;
            role: components["schemas"]["Role"];
        };
        UserPage: {
            data: components["schemas"]["User"][];
            pagination: components["schemas"]["Pagination"];
        };
        UserResponse: {
            data: components["schemas"]["User"];
        };
        UserUpdate: {
            role?: components["schemas"]["Role"];
        };
        Utm: {
            campaign: string;
            medium: string;
            source: string;
        };
        UtmUpdate: {
            campaign?: string;
            medium?: string;
            source?: string;
        };
        WaitData: components["schemas"]["WaitFor"] | components["schemas"]["WaitUntil"];
        WaitFor: {
            amount: number;
            unit: components["schemas"]["WaitUnit"];
        } & {
            [key: string]: unknown;
        };
        WaitNode: {
            data: components["schemas"]["WaitData"];
            id: string;
            /** @constant */
            type: "wait";
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        WaitUnit: "minutes" | "hours" | "days" | "weeks";
        WaitUntil: {
            /** Format: date-time */
            until: string;
        } & {
            [key: string]: unknown;
        };
        WarmUpShare: {
            left: number;
            limit: number;
        };
        Webhook: {
            /** Format: date-time */
            createdAt: string;
            disabledReason: string | null;
            enabled: boolean;
            events: components["schemas"]["WebhookEventType"][];
            id: string;
            url: string;
        };
        WebhookAction: {
            /** @constant */
            action: "webhook";
            /** Format: uri */
            url: string;
        } & {
            [key: string]: unknown;
        };
        WebhookAttempt: {
            answer: string;
            /** Format: date-time */
            at: string;
            durationMs: number;
            error: string | null;
            status: number | null;
        };
        WebhookCreate: {
            enabled?: boolean;
            events: components["schemas"]["WebhookEventType"][];
            url: string;
        };
        WebhookDelivery: {
            attempts: components["schemas"]["WebhookAttempt"][];
            /** Format: date-time */
            createdAt: string;
            id: string;
            /** Format: date-time */
            nextAttemptAt: string | null;
            state: components["schemas"]["WebhookDeliveryState"];
            type: string;
        };
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        WebhookDeliveryResponse: {
            data: components["schemas"]["WebhookDelivery"];
        };
        /** @enum {string} */
        WebhookDeliveryState: "PENDING" | "DELIVERED" | "FAILED";
        /** @enum {string} */
        WebhookEventType: "*" | "contact.created" | "contact.updated" | "contact.subscribed" | "contact.unsubscribed" | "contact.deleted" | "email.sent" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.failed" | "campaign.started" | "campaign.finished" | "form.submitted" | "automation.completed" | "automation.failed";
        WebhookPage: {
            data: components["schemas"]["Webhook"][];
            pagination: components["schemas"]["Pagination"];
        };
        WebhookResponse: {
            data: components["schemas"]["Webhook"];
        };
        WebhookUpdate: {
            enabled?: boolean;
            events?: components["schemas"]["WebhookEventType"][];
            url?: string;
        };
        WebhookWithSecret: {
            /** Format: date-time */
            createdAt: string;
            disabledReason: string | null;
            enabled: boolean;
            events: components["schemas"]["WebhookEventType"][];
            id: string;
            secret: string;
            url: string;
        };
        WebhookWithSecretResponse: {
            data: components["schemas"]["WebhookWithSecret"];
        };
        WelcomeUse: {
            code?: string;
            email?: string;
            password: string;
            token: string;
        };
    };
    responses: {
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        Unauthorized: {
            headers: {
                "WWW-Authenticate": string;
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        Unavailable: {
            headers: {
                "Retry-After": string;
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        UploadTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        WorkspaceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        RequestId: string;
    };
    pathItems: never;
}
export type Account = components['schemas']['Account'];
export type ActionData = components['schemas']['ActionData'];
export type ActionNode = components['schemas']['ActionNode'];
export type Addressee = components['schemas']['Addressee'];
export type AllTests = components['schemas']['AllTests'];
export type AnyTest = components['schemas']['AnyTest'];
export type ApiError = components['schemas']['ApiError'];
export type Attachment = components['schemas']['Attachment'];
export type Attribute = components['schemas']['Attribute'];
export type AttributeChanges = components['schemas']['AttributeChanges'];
export type AttributeListResponse = components['schemas']['AttributeListResponse'];
export type Attributes = components['schemas']['Attributes'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditEntryPage = components['schemas']['AuditEntryPage'];
export type Automation = components['schemas']['Automation'];
export type AutomationCreate = components['schemas']['AutomationCreate'];
export type AutomationEventData = components['schemas']['AutomationEventData'];
export type AutomationPage = components['schemas']['AutomationPage'];
export type AutomationPreview = components['schemas']['AutomationPreview'];
export type AutomationPreviewRequest = components['schemas']['AutomationPreviewRequest'];
export type AutomationPreviewResponse = components['schemas']['AutomationPreviewResponse'];
export type AutomationResponse = components['schemas']['AutomationResponse'];
export type AutomationStatus = components['schemas']['AutomationStatus'];
export type AutomationUpdate = components['schemas']['AutomationUpdate'];
export type AutomationWebhook = components['schemas']['AutomationWebhook'];
export type AutomationWebhookData = components['schemas']['AutomationWebhookData'];
export type Backup = components['schemas']['Backup'];
export type BackupFile = components['schemas']['BackupFile'];
export type BackupListResponse = components['schemas']['BackupListResponse'];
export type BackupResponse = components['schemas']['BackupResponse'];
export type BackupUnlock = components['schemas']['BackupUnlock'];
export type BackupUnlocked = components['schemas']['BackupUnlocked'];
export type BackupUnlockedResponse = components['schemas']['BackupUnlockedResponse'];
export type BlockedDomain = components['schemas']['BlockedDomain'];
export type BlockedDomainCreate = components['schemas']['BlockedDomainCreate'];
export type BlockedDomainPage = components['schemas']['BlockedDomainPage'];
export type BlockedDomainResponse = components['schemas']['BlockedDomainResponse'];
export type Bounce = components['schemas']['Bounce'];
export type BounceMail = components['schemas']['BounceMail'];
export type BounceMailResponse = components['schemas']['BounceMailResponse'];
export type BouncePage = components['schemas']['BouncePage'];
export type BounceWay = components['schemas']['BounceWay'];
export type BulkError = components['schemas']['BulkError'];
export type Campaign = components['schemas']['Campaign'];
export type CampaignCheck = components['schemas']['CampaignCheck'];
export type CampaignCheckResponse = components['schemas']['CampaignCheckResponse'];
export type CampaignContent = components['schemas']['CampaignContent'];
export type CampaignContentResponse = components['schemas']['CampaignContentResponse'];
export type CampaignCreate = components['schemas']['CampaignCreate'];
export type CampaignEventData = components['schemas']['CampaignEventData'];
export type CampaignFormat = components['schemas']['CampaignFormat'];
export type CampaignLink = components['schemas']['CampaignLink'];
export type CampaignLinkListResponse = components['schemas']['CampaignLinkListResponse'];
export type CampaignOptions = components['schemas']['CampaignOptions'];
export type CampaignOptionsResponse = components['schemas']['CampaignOptionsResponse'];
export type CampaignOptionsUpdate = components['schemas']['CampaignOptionsUpdate'];
export type CampaignPage = components['schemas']['CampaignPage'];
export type CampaignPreview = components['schemas']['CampaignPreview'];
export type CampaignPreviewRequest = components['schemas']['CampaignPreviewRequest'];
export type CampaignPreviewResponse = components['schemas']['CampaignPreviewResponse'];
export type CampaignProgress = components['schemas']['CampaignProgress'];
export type CampaignProgressResponse = components['schemas']['CampaignProgressResponse'];
export type CampaignRefusal = components['schemas']['CampaignRefusal'];
export type CampaignReport = components['schemas']['CampaignReport'];
export type CampaignReportResponse = components['schemas']['CampaignReportResponse'];
export type CampaignResponse = components['schemas']['CampaignResponse'];
export type CampaignSchedule = components['schemas']['CampaignSchedule'];
export type CampaignSend = components['schemas']['CampaignSend'];
export type CampaignStat = components['schemas']['CampaignStat'];
export type CampaignStatus = components['schemas']['CampaignStatus'];
export type CampaignStep = components['schemas']['CampaignStep'];
export type CampaignStepListResponse = components['schemas']['CampaignStepListResponse'];
export type CampaignTest = components['schemas']['CampaignTest'];
export type CampaignTestOutcome = components['schemas']['CampaignTestOutcome'];
export type CampaignTestOutcomeResponse = components['schemas']['CampaignTestOutcomeResponse'];
export type CampaignUpdate = components['schemas']['CampaignUpdate'];
export type Check = components['schemas']['Check'];
export type CheckLevel = components['schemas']['CheckLevel'];
export type CheckListResponse = components['schemas']['CheckListResponse'];
export type ConditionData = components['schemas']['ConditionData'];
export type ConditionNode = components['schemas']['ConditionNode'];
export type ConditionOp = components['schemas']['ConditionOp'];
export type ConditionTest = components['schemas']['ConditionTest'];
export type Consent = components['schemas']['Consent'];
export type ConsentAction = components['schemas']['ConsentAction'];
export type ConsentEntry = components['schemas']['ConsentEntry'];
export type ConsentEntryPage = components['schemas']['ConsentEntryPage'];
export type ConsentSource = components['schemas']['ConsentSource'];
export type Contact = components['schemas']['Contact'];
export type ContactAction = components['schemas']['ContactAction'];
export type ContactCreate = components['schemas']['ContactCreate'];
export type ContactEventData = components['schemas']['ContactEventData'];
export type ContactList = components['schemas']['ContactList'];
export type ContactListPage = components['schemas']['ContactListPage'];
export type ContactListResponse = components['schemas']['ContactListResponse'];
export type ContactPage = components['schemas']['ContactPage'];
export type ContactResponse = components['schemas']['ContactResponse'];
export type ContactsAction = components['schemas']['ContactsAction'];
export type ContactsActionProblem = components['schemas']['ContactsActionProblem'];
export type ContactsActionResult = components['schemas']['ContactsActionResult'];
export type ContactsActionResultResponse = components['schemas']['ContactsActionResultResponse'];
export type ContactsCreate = components['schemas']['ContactsCreate'];
export type ContactsCsv = components['schemas']['ContactsCsv'];
export type ContactSearch = components['schemas']['ContactSearch'];
export type ContactsExport = components['schemas']['ContactsExport'];
export type ContactsJsonLines = components['schemas']['ContactsJsonLines'];
export type ContactsResult = components['schemas']['ContactsResult'];
export type ContactsResultItem = components['schemas']['ContactsResultItem'];
export type ContactsResultOutcome = components['schemas']['ContactsResultOutcome'];
export type ContactsResultResponse = components['schemas']['ContactsResultResponse'];
export type ContactStatus = components['schemas']['ContactStatus'];
export type ContactUpdate = components['schemas']['ContactUpdate'];
export type CreatedKey = components['schemas']['CreatedKey'];
export type CreatedKeyResponse = components['schemas']['CreatedKeyResponse'];
export type CreatedUser = components['schemas']['CreatedUser'];
export type CreatedUserResponse = components['schemas']['CreatedUserResponse'];
export type CustomEventTrigger = components['schemas']['CustomEventTrigger'];
export type DeliveriesCsv = components['schemas']['DeliveriesCsv'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryPage = components['schemas']['DeliveryPage'];
export type DeliveryState = components['schemas']['DeliveryState'];
export type DnsRecord = components['schemas']['DnsRecord'];
export type DnsRecordType = components['schemas']['DnsRecordType'];
export type DuplicateEvent = components['schemas']['DuplicateEvent'];
export type DuplicateEventResponse = components['schemas']['DuplicateEventResponse'];
export type EmailEventData = components['schemas']['EmailEventData'];
export type EndData = components['schemas']['EndData'];
export type EndNode = components['schemas']['EndNode'];
export type Enrollment = components['schemas']['Enrollment'];
export type EnrollmentPage = components['schemas']['EnrollmentPage'];
export type EnrollmentStatus = components['schemas']['EnrollmentStatus'];
export type EnteredWorkspace = components['schemas']['EnteredWorkspace'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export type Event = components['schemas']['Event'];
export type EventCreate = components['schemas']['EventCreate'];
export type EventMessage = components['schemas']['EventMessage'];
export type EventMessageType = components['schemas']['EventMessageType'];
export type EventPage = components['schemas']['EventPage'];
export type EventsCreate = components['schemas']['EventsCreate'];
export type EventsResult = components['schemas']['EventsResult'];
export type EventsResultItem = components['schemas']['EventsResultItem'];
export type EventsResultOutcome = components['schemas']['EventsResultOutcome'];
export type EventsResultResponse = components['schemas']['EventsResultResponse'];
export type Figures = components['schemas']['Figures'];
export type FiguresStep = components['schemas']['FiguresStep'];
export type Flow = components['schemas']['Flow'];
export type FlowEdge = components['schemas']['FlowEdge'];
export type FlowNode = components['schemas']['FlowNode'];
export type FlowResponse = components['schemas']['FlowResponse'];
export type Form = components['schemas']['Form'];
export type FormCreate = components['schemas']['FormCreate'];
export type FormError = components['schemas']['FormError'];
export type FormEventData = components['schemas']['FormEventData'];
export type FormPage = components['schemas']['FormPage'];
export type FormPreview = components['schemas']['FormPreview'];
export type FormPreviewResponse = components['schemas']['FormPreviewResponse'];
export type FormResponse = components['schemas']['FormResponse'];
export type FormStats = components['schemas']['FormStats'];
export type FormStatsResponse = components['schemas']['FormStatsResponse'];
export type FormStyle = components['schemas']['FormStyle'];
export type FormSubmission = components['schemas']['FormSubmission'];
export type FormSubmitted = components['schemas']['FormSubmitted'];
export type FormUpdate = components['schemas']['FormUpdate'];
export type Import = components['schemas']['Import'];
export type ImportColumn = components['schemas']['ImportColumn'];
export type ImportColumnType = components['schemas']['ImportColumnType'];
export type ImportEncoding = components['schemas']['ImportEncoding'];
export type ImportError = components['schemas']['ImportError'];
export type ImportErrorPage = components['schemas']['ImportErrorPage'];
export type ImportFormat = components['schemas']['ImportFormat'];
export type ImportOptions = components['schemas']['ImportOptions'];
export type ImportPage = components['schemas']['ImportPage'];
export type ImportPreview = components['schemas']['ImportPreview'];
export type ImportPreviewContact = components['schemas']['ImportPreviewContact'];
export type ImportPreviewResponse = components['schemas']['ImportPreviewResponse'];
export type ImportPreviewRow = components['schemas']['ImportPreviewRow'];
export type ImportResponse = components['schemas']['ImportResponse'];
export type ImportSource = components['schemas']['ImportSource'];
export type ImportState = components['schemas']['ImportState'];
export type ImportUpload = components['schemas']['ImportUpload'];
export type Key = components['schemas']['Key'];
export type KeyCreate = components['schemas']['KeyCreate'];
export type KeyPage = components['schemas']['KeyPage'];
export type KeyScope = components['schemas']['KeyScope'];
export type LetterAddress = components['schemas']['LetterAddress'];
export type LetterAddressResponse = components['schemas']['LetterAddressResponse'];
export type LetterPreviewRequest = components['schemas']['LetterPreviewRequest'];
export type LetterProblem = components['schemas']['LetterProblem'];
export type ListAction = components['schemas']['ListAction'];
export type ListContactsAdd = components['schemas']['ListContactsAdd'];
export type ListContactsAdded = components['schemas']['ListContactsAdded'];
export type ListContactsAddedResponse = components['schemas']['ListContactsAddedResponse'];
export type ListCreate = components['schemas']['ListCreate'];
export type ListOptions = components['schemas']['ListOptions'];
export type ListOptionsResponse = components['schemas']['ListOptionsResponse'];
export type ListOptionsUpdate = components['schemas']['ListOptionsUpdate'];
export type ListUpdate = components['schemas']['ListUpdate'];
export type MachineActivity = components['schemas']['MachineActivity'];
export type Mailable = components['schemas']['Mailable'];
export type MailableResponse = components['schemas']['MailableResponse'];
export type Media = components['schemas']['Media'];
export type MediaPage = components['schemas']['MediaPage'];
export type MediaResponse = components['schemas']['MediaResponse'];
export type MediaType = components['schemas']['MediaType'];
export type MediaUpload = components['schemas']['MediaUpload'];
export type Membership = components['schemas']['Membership'];
export type MembershipListResponse = components['schemas']['MembershipListResponse'];
export type Message = components['schemas']['Message'];
export type MessageMoment = components['schemas']['MessageMoment'];
export type MessageMomentKind = components['schemas']['MessageMomentKind'];
export type MessageOutcome = components['schemas']['MessageOutcome'];
export type MessageOutcomeResponse = components['schemas']['MessageOutcomeResponse'];
export type MessagePage = components['schemas']['MessagePage'];
export type MessageRecipient = components['schemas']['MessageRecipient'];
export type MessageSend = components['schemas']['MessageSend'];
export type MessageState = components['schemas']['MessageState'];
export type MessageStory = components['schemas']['MessageStory'];
export type MessageStoryResponse = components['schemas']['MessageStoryResponse'];
export type Moment = components['schemas']['Moment'];
export type MomentKind = components['schemas']['MomentKind'];
export type MomentPage = components['schemas']['MomentPage'];
export type NewSubscriberTrigger = components['schemas']['NewSubscriberTrigger'];
export type Node = components['schemas']['Node'];
export type NodeFigures = components['schemas']['NodeFigures'];
export type NodeFiguresListResponse = components['schemas']['NodeFiguresListResponse'];
export type NodeListResponse = components['schemas']['NodeListResponse'];
export type NotMailed = components['schemas']['NotMailed'];
export type NotMailedCode = components['schemas']['NotMailedCode'];
export type OtherData = components['schemas']['OtherData'];
export type OtherNode = components['schemas']['OtherNode'];
export type Pagination = components['schemas']['Pagination'];
export type Passkey = components['schemas']['Passkey'];
export type PasskeyAdd = components['schemas']['PasskeyAdd'];
export type PasskeyCreation = components['schemas']['PasskeyCreation'];
export type PasskeyCreationResponse = components['schemas']['PasskeyCreationResponse'];
export type PasskeyListResponse = components['schemas']['PasskeyListResponse'];
export type PasskeyProposal = components['schemas']['PasskeyProposal'];
export type PasskeyRequest = components['schemas']['PasskeyRequest'];
export type PasskeyRequestResponse = components['schemas']['PasskeyRequestResponse'];
export type PasskeyResponse = components['schemas']['PasskeyResponse'];
export type PasskeyUse = components['schemas']['PasskeyUse'];
export type PasswordChange = components['schemas']['PasswordChange'];
export type PresentPassword = components['schemas']['PresentPassword'];
export type PreviewUpload = components['schemas']['PreviewUpload'];
export type Problem = components['schemas']['Problem'];
export type ProblemListResponse = components['schemas']['ProblemListResponse'];
export type ProblemSeverity = components['schemas']['ProblemSeverity'];
export type ProviderEvent = components['schemas']['ProviderEvent'];
export type ReasonCount = components['schemas']['ReasonCount'];
export type ReasonState = components['schemas']['ReasonState'];
export type RecipientStatus = components['schemas']['RecipientStatus'];
export type RecordedEvent = components['schemas']['RecordedEvent'];
export type RecordedEventResponse = components['schemas']['RecordedEventResponse'];
export type Reenroll = components['schemas']['Reenroll'];
export type RelayTrouble = components['schemas']['RelayTrouble'];
export type RenderedTemplate = components['schemas']['RenderedTemplate'];
export type RenderedTemplateResponse = components['schemas']['RenderedTemplateResponse'];
export type RevokedKey = components['schemas']['RevokedKey'];
export type RevokedKeyResponse = components['schemas']['RevokedKeyResponse'];
export type Role = components['schemas']['Role'];
export type ScheduledCampaign = components['schemas']['ScheduledCampaign'];
export type ScheduledCampaignResponse = components['schemas']['ScheduledCampaignResponse'];
export type Score = components['schemas']['Score'];
export type ScoreResponse = components['schemas']['ScoreResponse'];
export type ScoringRule = components['schemas']['ScoringRule'];
export type ScoringRuleCreate = components['schemas']['ScoringRuleCreate'];
export type ScoringRulePage = components['schemas']['ScoringRulePage'];
export type ScoringRuleResponse = components['schemas']['ScoringRuleResponse'];
export type Segment = components['schemas']['Segment'];
export type SegmentAll = components['schemas']['SegmentAll'];
export type SegmentAny = components['schemas']['SegmentAny'];
export type SegmentCondition = components['schemas']['SegmentCondition'];
export type SegmentCount = components['schemas']['SegmentCount'];
export type SegmentCountResponse = components['schemas']['SegmentCountResponse'];
export type SegmentCreate = components['schemas']['SegmentCreate'];
export type SegmentNot = components['schemas']['SegmentNot'];
export type SegmentPage = components['schemas']['SegmentPage'];
export type SegmentPreview = components['schemas']['SegmentPreview'];
export type SegmentPreviewRequest = components['schemas']['SegmentPreviewRequest'];
export type SegmentPreviewResponse = components['schemas']['SegmentPreviewResponse'];
export type SegmentPropertyTest = components['schemas']['SegmentPropertyTest'];
export type SegmentResponse = components['schemas']['SegmentResponse'];
export type SegmentRule = components['schemas']['SegmentRule'];
export type SegmentRules = components['schemas']['SegmentRules'];
export type SegmentUpdate = components['schemas']['SegmentUpdate'];
export type SegmentUser = components['schemas']['SegmentUser'];
export type SegmentUserKind = components['schemas']['SegmentUserKind'];
export type SegmentUserListResponse = components['schemas']['SegmentUserListResponse'];
export type SendEmailAction = components['schemas']['SendEmailAction'];
export type Session = components['schemas']['Session'];
export type SessionListResponse = components['schemas']['SessionListResponse'];
export type SetFieldAction = components['schemas']['SetFieldAction'];
export type Settings = components['schemas']['Settings'];
export type SettingsResponse = components['schemas']['SettingsResponse'];
export type SettingsUpdate = components['schemas']['SettingsUpdate'];
export type SignedIn = components['schemas']['SignedIn'];
export type SignedInResponse = components['schemas']['SignedInResponse'];
export type SignIn = components['schemas']['SignIn'];
export type SimulatedStep = components['schemas']['SimulatedStep'];
export type Simulation = components['schemas']['Simulation'];
export type SimulationRequest = components['schemas']['SimulationRequest'];
export type SimulationResponse = components['schemas']['SimulationResponse'];
export type SimulationStatus = components['schemas']['SimulationStatus'];
export type Stats = components['schemas']['Stats'];
export type StatsResponse = components['schemas']['StatsResponse'];
export type Suppression = components['schemas']['Suppression'];
export type SuppressionCreate = components['schemas']['SuppressionCreate'];
export type SuppressionPage = components['schemas']['SuppressionPage'];
export type SuppressionReason = components['schemas']['SuppressionReason'];
export type SuppressionResponse = components['schemas']['SuppressionResponse'];
export type SuppressionSource = components['schemas']['SuppressionSource'];
export type Tag = components['schemas']['Tag'];
export type TagAction = components['schemas']['TagAction'];
export type TagAddedTrigger = components['schemas']['TagAddedTrigger'];
export type TagListResponse = components['schemas']['TagListResponse'];
export type TakenReports = components['schemas']['TakenReports'];
export type TakenReportsResponse = components['schemas']['TakenReportsResponse'];
export type TaskAge = components['schemas']['TaskAge'];
export type Template = components['schemas']['Template'];
export type TemplateCreate = components['schemas']['TemplateCreate'];
export type TemplateFormat = components['schemas']['TemplateFormat'];
export type TemplatePage = components['schemas']['TemplatePage'];
export type TemplateRenderRequest = components['schemas']['TemplateRenderRequest'];
export type TemplateResponse = components['schemas']['TemplateResponse'];
export type TemplateUpdate = components['schemas']['TemplateUpdate'];
export type TemplateWithBody = components['schemas']['TemplateWithBody'];
export type TemplateWithBodyResponse = components['schemas']['TemplateWithBodyResponse'];
export type TestEventData = components['schemas']['TestEventData'];
export type TestRecipient = components['schemas']['TestRecipient'];
export type TestStatus = components['schemas']['TestStatus'];
export type TotpConfirm = components['schemas']['TotpConfirm'];
export type TotpSecret = components['schemas']['TotpSecret'];
export type TotpSecretResponse = components['schemas']['TotpSecretResponse'];
export type TriggerData = components['schemas']['TriggerData'];
export type TriggerNode = components['schemas']['TriggerNode'];
export type UnsubscribeAction = components['schemas']['UnsubscribeAction'];
export type User = components['schemas']['User'];
export type UserCreate = components['schemas']['UserCreate'];
export type UserPage = components['schemas']['UserPage'];
export type UserResponse = components['schemas']['UserResponse'];
export type UserUpdate = components['schemas']['UserUpdate'];
export type Utm = components['schemas']['Utm'];
export type UtmUpdate = components['schemas']['UtmUpdate'];
export type WaitData = components['schemas']['WaitData'];
export type WaitFor = components['schemas']['WaitFor'];
export type WaitNode = components['schemas']['WaitNode'];
export type WaitUnit = components['schemas']['WaitUnit'];
export type WaitUntil = components['schemas']['WaitUntil'];
export type WarmUpShare = components['schemas']['WarmUpShare'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookAction = components['schemas']['WebhookAction'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookCreate = components['schemas']['WebhookCreate'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryPage = components['schemas']['WebhookDeliveryPage'];
export type WebhookDeliveryResponse = components['schemas']['WebhookDeliveryResponse'];
export type WebhookDeliveryState = components['schemas']['WebhookDeliveryState'];
export type WebhookEventType = components['schemas']['WebhookEventType'];
export type WebhookPage = components['schemas']['WebhookPage'];
export type WebhookResponse = components['schemas']['WebhookResponse'];
export type WebhookUpdate = components['schemas']['WebhookUpdate'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type WebhookWithSecretResponse = components['schemas']['WebhookWithSecretResponse'];
export type WelcomeUse = components['schemas']['WelcomeUse'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseRequestTimeout = components['responses']['RequestTimeout'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUploadTimeout = components['responses']['UploadTimeout'];
export type ResponseWorkspaceNotFound = components['responses']['WorkspaceNotFound'];
export type HeaderRequestId = components['headers']['RequestId'];
export type $defs = Record<string, never>;
export interface operations {
    submitForm: {
        parameters: {
            query?: never;
            header?: {
                Origin?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FormSubmission"];
                "application/x-www-form-urlencoded": components["schemas"]["FormSubmission"];
                "multipart/form-data": components["schemas"]["FormSubmission"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormSubmitted"];
                    "text/html": string;
                };
            };
        };
    };
    listAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeListResponse"];
                };
            };
        };
    };
    deleteAttribute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                after?: string;
                include?: "names";
                limit?: number;
                what?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
        };
    };
    listAutomations: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                status?: components["schemas"]["AutomationStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationPage"];
                };
            };
        };
    };
    createAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AutomationCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationResponse"];
                };
            };
        };
    };
    getAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationResponse"];
                };
            };
        };
    };
    deleteAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AutomationUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationResponse"];
                };
            };
        };
    };
    listAutomationEnrollments: {
        parameters: {
            query?: {
                after?: string;
                email?: string;
                include?: "email";
                limit?: number;
                status?: components["schemas"]["EnrollmentStatus"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentPage"];
                };
            };
        };
    };
    getAutomationFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowResponse"];
                };
            };
        };
    };
    showAutomationPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AutomationPreviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationPreviewResponse"];
                };
            };
        };
    };
    listAutomationProblems: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemListResponse"];
                };
            };
        };
    };
    simulateAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulationResponse"];
                };
            };
        };
    };
    listAutomationStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeFiguresListResponse"];
                };
            };
        };
    };
    listBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupListResponse"];
                };
            };
        };
    };
    createBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupResponse"];
                };
            };
        };
    };
    getBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupResponse"];
                };
            };
        };
    };
    deleteBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getBackupFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.sqlite3": components["schemas"]["BackupFile"];
                };
            };
        };
    };
    openBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BackupUnlock"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupUnlockedResponse"];
                };
            };
        };
    };
    listBlockedDomains: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockedDomainPage"];
                };
            };
        };
    };
    createBlockedDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockedDomainCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockedDomainResponse"];
                };
            };
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockedDomainResponse"];
                };
            };
        };
    };
    deleteBlockedDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listBounces: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BouncePage"];
                };
            };
        };
    };
    getBounce: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BounceMailResponse"];
                };
            };
        };
    };
    deleteBounce: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                after?: string;
                include?: "delivered";
                limit?: number;
                q?: string;
                status?: components["schemas"]["CampaignStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPage"];
                };
            };
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignResponse"];
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignResponse"];
                };
            };
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CampaignUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignResponse"];
                };
            };
        };
    };
    checkCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CampaignSend"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignCheckResponse"];
                };
            };
        };
    };
    listCampaignCheckContacts: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                reason?: "EXCLUDED" | "SUPPRESSED" | "BLOCKED_DOMAIN" | "NOT_SUBSCRIBED";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
        };
    };
    getCampaignContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignContentResponse"];
                };
            };
        };
    };
    listCampaignDeliveries: {
        parameters: {
            query?: {
                after?: string;
                email?: string;
                limit?: number;
                reason?: string;
                state?: components["schemas"]["DeliveryState"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
        };
    };
    duplicateCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignResponse"];
                };
            };
        };
    };
    listCampaignLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignLinkListResponse"];
                };
            };
        };
    };
    getCampaignOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignOptionsResponse"];
                };
            };
        };
    };
    updateCampaignOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CampaignOptionsUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignOptionsResponse"];
                };
            };
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignReportResponse"];
                };
            };
        };
    };
    showCampaignPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CampaignPreviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPreviewResponse"];
                };
            };
        };
    };
    getCampaignReport: {
        parameters: {
            query?: {
                include?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignReportResponse"];
                };
            };
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignReportResponse"];
                };
            };
        };
    };
    scheduleCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignSchedule"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledCampaignResponse"];
                };
            };
        };
    };
    unscheduleCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignResponse"];
                };
            };
        };
    };
    sendCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CampaignSend"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignProgressResponse"];
                };
            };
        };
    };
    stopCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignReportResponse"];
                };
            };
        };
    };
    sendCampaignTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignTest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignTestOutcomeResponse"];
                };
            };
        };
    };
    listCampaignTimeline: {
        parameters: {
            query?: {
                step?: "hour" | "day";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignStepListResponse"];
                };
            };
        };
    };
    listConsents: {
        parameters: {
            query?: {
                after?: string;
                contactId?: string;
                email?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentEntryPage"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                after?: string;
                include?: "attributes" | "lastOpenedAt" | "attributes,lastOpenedAt";
                limit?: number;
                q?: string;
                status?: components["schemas"]["ContactStatus"];
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
        };
    };
    createContact: {
        parameters: {
            query?: {
                include?: "attributes";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
        };
    };
    getContact: {
        parameters: {
            query?: {
                include?: "attributes";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateContact: {
        parameters: {
            query?: {
                include?: "attributes";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
        };
    };
    listContactLists: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembershipListResponse"];
                };
            };
        };
    };
    getContactMailable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailableResponse"];
                };
            };
        };
    };
    getContactScore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreResponse"];
                };
            };
        };
    };
    listContactTimeline: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MomentPage"];
                };
            };
        };
    };
    updateContacts: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactsAction"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactsActionResultResponse"];
                };
            };
        };
    };
    createContacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactsCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactsResultResponse"];
                };
            };
        };
    };
    listMatchingContacts: {
        parameters: {
            query?: {
                after?: string;
                include?: "attributes" | "lastOpenedAt" | "attributes,lastOpenedAt";
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactSearch"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
        };
    };
    getDeliverability: {
        parameters: {
            query?: {
                include?: "record";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckListResponse"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                after?: string;
                contactId?: string;
                limit?: number;
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    createEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicateEventResponse"];
                };
            };
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedEventResponse"];
                };
            };
        };
    };
    createEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventsCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsResultResponse"];
                };
            };
        };
    };
    getDeliveriesExport: {
        parameters: {
            query?: {
                email?: string;
                reason?: string;
                state?: components["schemas"]["DeliveryState"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["DeliveriesCsv"];
                };
            };
        };
    };
    getContactsExport: {
        parameters: {
            query?: {
                format?: "csv" | "jsonl";
                include?: "suppressed";
                listId?: string;
                segmentId?: string;
                status?: components["schemas"]["ContactStatus"];
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ContactsJsonLines"];
                    "text/csv": components["schemas"]["ContactsCsv"];
                };
            };
        };
    };
    getChosenContactsExport: {
        parameters: {
            query?: {
                include?: "suppressed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ContactsExport"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ContactsJsonLines"];
                    "text/csv": components["schemas"]["ContactsCsv"];
                };
            };
        };
    };
    listForms: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormPage"];
                };
            };
        };
    };
    createForm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FormCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormResponse"];
                };
            };
        };
    };
    getForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormResponse"];
                };
            };
        };
    };
    deleteForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FormUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormResponse"];
                };
            };
        };
    };
    showFormPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FormUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormPreviewResponse"];
                };
            };
        };
    };
    getFormStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormStatsResponse"];
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                after?: string;
                include?: "share" | "format" | "share,format";
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPage"];
                };
            };
        };
    };
    createImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ImportUpload"];
            };
        };
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: {
                include?: "share" | "format" | "share,format";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
        };
    };
    deleteImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listImportErrors: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportErrorPage"];
                };
            };
        };
    };
    showImportPreview: {
        parameters: {
            query?: {
                include?: "rows" | "types" | "rows,types";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PreviewUpload"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPreviewResponse"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                after?: string;
                include?: "scope";
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyPage"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: {
                include?: "scope";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KeyCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKeyResponse"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedKeyResponse"];
                };
            };
        };
    };
    showLetter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LetterPreviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LetterAddressResponse"];
                };
            };
        };
    };
    listLists: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactListPage"];
                };
            };
        };
    };
    createList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactListResponse"];
                };
            };
        };
    };
    getList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactListResponse"];
                };
            };
        };
    };
    deleteList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactListResponse"];
                };
            };
        };
    };
    listListContacts: {
        parameters: {
            query?: {
                after?: string;
                include?: "attributes" | "lastOpenedAt" | "attributes,lastOpenedAt";
                limit?: number;
                q?: string;
                status?: components["schemas"]["ContactStatus"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
        };
    };
    addListContacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ListContactsAdd"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListContactsAddedResponse"];
                };
            };
        };
    };
    removeListContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contactId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getListOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOptionsResponse"];
                };
            };
        };
    };
    updateListOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ListOptionsUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOptionsResponse"];
                };
            };
        };
    };
    listMedia: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaPage"];
                };
            };
        };
    };
    createMedia: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["MediaUpload"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaResponse"];
                };
            };
        };
    };
    deleteMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                after?: string;
                email?: string;
                limit?: number;
                state?: components["schemas"]["MessageState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageStoryResponse"];
                };
            };
        };
    };
    listNodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeListResponse"];
                };
            };
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Access-Control-Allow-Origin": string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    updatePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listScoringRules: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoringRulePage"];
                };
            };
        };
    };
    createScoringRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScoringRuleCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoringRuleResponse"];
                };
            };
        };
    };
    deleteScoringRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSegments: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentPage"];
                };
            };
        };
    };
    createSegment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SegmentCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentResponse"];
                };
            };
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentResponse"];
                };
            };
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SegmentUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentResponse"];
                };
            };
        };
    };
    listSegmentContacts: {
        parameters: {
            query?: {
                after?: string;
                include?: "attributes" | "lastOpenedAt" | "attributes,lastOpenedAt";
                limit?: number;
                q?: string;
                status?: components["schemas"]["ContactStatus"];
                tag?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
        };
    };
    getSegmentCount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentCountResponse"];
                };
            };
        };
    };
    listSegmentUses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentUserListResponse"];
                };
            };
        };
    };
    showSegmentPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SegmentPreviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentPreviewResponse"];
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageSend"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotency-Replayed"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageOutcomeResponse"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInResponse"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Set-Cookie": string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInResponse"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createSessionByPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyUse"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Set-Cookie": string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInResponse"];
                };
            };
        };
    };
    getPasskeyChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestResponse"];
                };
            };
        };
    };
    listSessionPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyListResponse"];
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyAdd"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyResponse"];
                };
            };
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyProposal"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationResponse"];
                };
            };
        };
    };
    createTotpSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresentPassword"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpSecretResponse"];
                };
            };
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpConfirm"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    removeTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresentPassword"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionListResponse"];
                };
            };
        };
    };
    removeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsResponse"];
                };
            };
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SettingsUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsResponse"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: {
                from?: string;
                include?: "delivered";
                step?: "hour" | "day";
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsResponse"];
                };
            };
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                q?: string;
                reason?: components["schemas"]["SuppressionReason"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionPage"];
                };
            };
        };
    };
    createSuppression: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuppressionCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionResponse"];
                };
            };
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionResponse"];
                };
            };
        };
    };
    deleteSuppression: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listTags: {
        parameters: {
            query?: {
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagListResponse"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePage"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateWithBodyResponse"];
                };
            };
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TemplateUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
        };
    };
    showRenderedTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TemplateRenderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenderedTemplateResponse"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedUserResponse"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UserUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretResponse"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                after?: string;
                limit?: number;
                state?: "PENDING" | "DELIVERED" | "FAILED";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deliveryId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryResponse"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretResponse"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryResponse"];
                };
            };
        };
    };
    openWelcome: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WelcomeUse"];
            };
        };
        responses: {
            201: {
                headers: {
                    "Set-Cookie": string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInResponse"];
                };
            };
        };
    };
    followLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                number: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    Location: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    showConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    confirmSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    showForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getFormScript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        mail: "smtp" | "captured";
                        nodes?: number;
                        relays: components["schemas"]["RelayTrouble"][];
                        /** @constant */
                        status: "ok";
                        tasks: components["schemas"]["TaskAge"][];
                        version: string;
                    };
                };
            };
        };
    };
    submitProviderReports: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: "ses" | "postmark" | "mailgun" | "sendgrid" | "brevo" | "mailjet" | "sparkpost" | "resend";
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProviderEvent"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TakenReportsResponse"];
                };
            };
        };
    };
    getMediaFile: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
                Range?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            206: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            304: {
                headers: {
                    "Cache-Control"?: string;
                    ETag?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSocialSign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "Cache-Control"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
        };
    };
    openMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": string;
                };
            };
        };
    };
    showPreferencesPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    updatePreferences: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    firstName?: string;
                    lastName?: string;
                    leave?: string;
                    lists?: string[];
                    shown?: string;
                    ticked?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    showUnsubscribePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    unsubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    "List-Unsubscribe"?: string;
                    reason?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    showWebVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    receiveAutomationWebhook: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-signature": string;
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutomationWebhook"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveEvent: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-signature": string;
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventMessage"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
