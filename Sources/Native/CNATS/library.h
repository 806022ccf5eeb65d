// The functions of libnats that are used, loaded once.
#ifndef TABLESIGHT_CNATS_LIBRARY_H
#define TABLESIGHT_CNATS_LIBRARY_H
#include <nats/nats.h>

#define TSQ_FUNCTIONS(F)                                                                                               \
    F(nats_GetVersion) F(natsStatus_GetText) F(nats_GetLastError)                                                      \
    F(natsOptions_Create) F(natsOptions_Destroy) F(natsOptions_SetURL) F(natsOptions_SetName)                          \
    F(natsOptions_SetCustomInboxPrefix)                                                                                \
    F(natsOptions_SetUserInfo) F(natsOptions_SetNKeyFromSeed) F(natsOptions_SetUserCredentialsFromFiles)               \
    F(natsOptions_SetSecure) F(natsOptions_LoadCATrustedCertificates) F(natsOptions_LoadCertificatesChain)             \
    F(natsOptions_SetAllowReconnect) F(natsOptions_SetMaxReconnect) F(natsOptions_SetReconnectWait)                    \
    F(natsOptions_SetTimeout) F(natsOptions_SetPingInterval) F(natsOptions_SetMaxPingsOut)                             \
    F(natsOptions_SetIgnoreDiscoveredServers) F(natsOptions_SetErrorHandler)                                           \
    F(natsOptions_SetSendAsap) F(natsOptions_SetFailRequestsOnDisconnect)           \
    F(natsConnection_Connect) F(natsConnection_Close) F(natsConnection_Destroy)                                        \
    F(natsConnection_Status) F(natsConnection_IsClosed) F(natsConnection_GetMaxPayload) F(natsConnection_JetStream)    \
    F(natsConnection_RequestString) F(natsConnection_PublishString) F(natsConnection_Subscribe)                        \
    F(natsConnection_FlushTimeout)                                                                                     \
    F(jsOptions_Init) F(jsCtx_Destroy) F(jsStreamConfig_Init) F(js_AddStream) F(js_GetStreamInfo)                      \
    F(jsStreamInfo_Destroy) F(jsConsumerConfig_Init) F(js_AddConsumer) F(js_GetConsumerInfo)                           \
    F(jsConsumerInfo_Destroy) F(js_PurgeStream) F(js_DeleteMsg) F(js_GetMsg)                                            \
    F(jsPubOptions_Init) F(js_Publish) F(jsPubAck_Destroy)                                                             \
    F(jsSubOptions_Init) F(js_PullSubscribe) F(natsSubscription_Fetch) F(natsSubscription_Destroy)                     \
    F(natsMsg_GetData) F(natsMsg_GetDataLength) F(natsMsg_GetReply) F(natsMsg_GetMetaData) F(jsMsgMetaData_Destroy)    \
    F(natsMsg_Ack) F(natsMsg_InProgress) F(natsMsg_Destroy)

#define TSQ_MEMBER(name) __typeof__(&name) name;
typedef struct {
    TSQ_FUNCTIONS(TSQ_MEMBER)
} tsq_library;

/// The loaded library; null if it is missing or lacks a function.
const tsq_library *tsq_get_library(void);
#endif
