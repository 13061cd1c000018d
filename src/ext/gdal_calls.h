/* GDAL's functions by pointer: libgdal and the hundred libraries that it needs are loaded when a call first needs one,
 * not when a program starts. The gdal_*.c files call them by their own names. A function that is added to one of these
 * files gets a line in both lists. */
#ifndef RW_EXT_GDAL_CALLS_H
#define RW_EXT_GDAL_CALLS_H

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <gdal_utils.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#define RW_GDAL_CALLS(X)                                                                                               \
    X(CPLAtof)                                                                                                         \
    X(CPLGetErrorHandlerUserData)                                                                                      \
    X(CPLGetFilename)                                                                                                  \
    X(CPLPopErrorHandler)                                                                                              \
    X(CPLPushErrorHandlerEx)                                                                                           \
    X(CPLResetExtension)                                                                                               \
    X(CPLSPrintf)                                                                                                      \
    X(CPLSetThreadLocalConfigOption)                                                                                   \
    X(CPLStrdup)                                                                                                       \
    X(CSLAddString)                                                                                                    \
    X(CSLDestroy)                                                                                                      \
    X(GDALAllRegister)                                                                                                 \
    X(GDALClose)                                                                                                       \
    X(GDALCreate)                                                                                                      \
    X(GDALCreateCopy)                                                                                                  \
    X(GDALDatasetCommitTransaction)                                                                                    \
    X(GDALDatasetCreateLayer)                                                                                          \
    X(GDALDatasetGetLayer)                                                                                             \
    X(GDALDatasetGetLayerCount)                                                                                        \
    X(GDALDatasetGetNextFeature)                                                                                       \
    X(GDALDatasetResetReading)                                                                                         \
    X(GDALDatasetStartTransaction)                                                                                     \
    X(GDALGetDatasetDriver)                                                                                            \
    X(GDALGetDescription)                                                                                              \
    X(GDALGetDriverByName)                                                                                             \
    X(GDALGetDriverShortName)                                                                                          \
    X(GDALGetFileList)                                                                                                 \
    X(GDALGetGeoTransform)                                                                                             \
    X(GDALGetMetadata)                                                                                                 \
    X(GDALGetMetadataItem)                                                                                             \
    X(GDALGetRasterBand)                                                                                               \
    X(GDALGetRasterCount)                                                                                              \
    X(GDALGetRasterNoDataValue)                                                                                        \
    X(GDALGetRasterOffset)                                                                                             \
    X(GDALGetRasterScale)                                                                                              \
    X(GDALGetRasterUnitType)                                                                                           \
    X(GDALGetRasterXSize)                                                                                              \
    X(GDALGetRasterYSize)                                                                                              \
    X(GDALGetSpatialRef)                                                                                               \
    X(GDALIdentifyDriverEx)                                                                                            \
    X(GDALOpen)                                                                                                        \
    X(GDALOpenEx)                                                                                                      \
    X(GDALRasterIO)                                                                                                    \
    X(GDALSetDescription)                                                                                              \
    X(GDALSetGeoTransform)                                                                                             \
    X(GDALSetMetadata)                                                                                                 \
    X(GDALSetMetadataItem)                                                                                             \
    X(GDALSetRasterNoDataValue)                                                                                        \
    X(GDALSetRasterScale)                                                                                              \
    X(GDALSetRasterUnitType)                                                                                           \
    X(GDALSetSpatialRef)                                                                                               \
    X(GDALWarp)                                                                                                        \
    X(GDALWarpAppOptionsFree)                                                                                          \
    X(GDALWarpAppOptionsNew)                                                                                           \
    X(OCTDestroyCoordinateTransformation)                                                                              \
    X(OCTNewCoordinateTransformation)                                                                                  \
    X(OCTTransformEx)                                                                                                  \
    X(OGR_FD_GetFieldCount)                                                                                            \
    X(OGR_FD_GetFieldDefn)                                                                                             \
    X(OGR_F_Create)                                                                                                    \
    X(OGR_F_Destroy)                                                                                                   \
    X(OGR_F_GetFID)                                                                                                    \
    X(OGR_F_GetFieldAsBinary)                                                                                          \
    X(OGR_F_GetFieldAsDouble)                                                                                          \
    X(OGR_F_GetFieldAsInteger64)                                                                                       \
    X(OGR_F_GetFieldAsString)                                                                                          \
    X(OGR_F_GetGeometryRef)                                                                                            \
    X(OGR_F_IsFieldSetAndNotNull)                                                                                      \
    X(OGR_F_SetFieldBinary)                                                                                            \
    X(OGR_F_SetFieldDouble)                                                                                            \
    X(OGR_F_SetFieldInteger64)                                                                                         \
    X(OGR_F_SetFieldString)                                                                                            \
    X(OGR_F_SetGeometryDirectly)                                                                                       \
    X(OGR_Fld_Create)                                                                                                  \
    X(OGR_Fld_Destroy)                                                                                                 \
    X(OGR_Fld_GetNameRef)                                                                                              \
    X(OGR_Fld_GetType)                                                                                                 \
    X(OGR_GT_Flatten)                                                                                                  \
    X(OGR_GT_IsSubClassOf)                                                                                             \
    X(OGR_G_AddGeometryDirectly)                                                                                       \
    X(OGR_G_CreateGeometry)                                                                                            \
    X(OGR_G_DestroyGeometry)                                                                                           \
    X(OGR_G_GetGeometryCount)                                                                                          \
    X(OGR_G_GetGeometryRef)                                                                                            \
    X(OGR_G_GetGeometryType)                                                                                           \
    X(OGR_G_GetLinearGeometry)                                                                                         \
    X(OGR_G_GetPointCount)                                                                                             \
    X(OGR_G_GetPoints)                                                                                                 \
    X(OGR_G_HasCurveGeometry)                                                                                          \
    X(OGR_G_Is3D)                                                                                                      \
    X(OGR_G_SetPoint)                                                                                                  \
    X(OGR_G_SetPointCount)                                                                                             \
    X(OGR_G_SetPoint_2D)                                                                                               \
    X(OGR_L_CreateFeature)                                                                                             \
    X(OGR_L_CreateField)                                                                                               \
    X(OGR_L_GetGeomType)                                                                                               \
    X(OGR_L_GetLayerDefn)                                                                                              \
    X(OGR_L_GetName)                                                                                                   \
    X(OGR_L_GetNextFeature)                                                                                            \
    X(OGR_L_GetSpatialRef)                                                                                             \
    X(OGR_L_ResetReading)                                                                                              \
    X(OGR_L_SetSpatialFilterRect)                                                                                      \
    X(OSRDemoteTo2D)                                                                                                   \
    X(OSRDestroySpatialReference)                                                                                      \
    X(OSRExportToWktEx)                                                                                                \
    X(OSRGetAuthorityCode)                                                                                             \
    X(OSRGetAuthorityName)                                                                                             \
    X(OSRGetLinearUnits)                                                                                               \
    X(OSRGetName)                                                                                                      \
    X(OSRIsGeographic)                                                                                                 \
    X(OSRIsSameEx)                                                                                                     \
    X(OSRNewSpatialReference)                                                                                          \
    X(OSRSetAxisMappingStrategy)                                                                                       \
    X(OSRSetFromUserInput)                                                                                             \
    X(VSIFCloseL)                                                                                                      \
    X(VSIFileFromMemBuffer)                                                                                            \
    X(VSIFree)                                                                                                         \
    X(VSIGetMemFileBuffer)                                                                                             \
    X(VSIUnlink)

#define RW_GDAL_CALL(name) __typeof__(name) *name##_;
typedef struct rw_gdal_calls {
    RW_GDAL_CALLS(RW_GDAL_CALL)
} rw_gdal_calls;
#undef RW_GDAL_CALL

/* Until rw_gdal_load they return zeros, as they do if GDAL cannot be loaded. */
extern rw_gdal_calls rw_gdal;

/* Loads GDAL on the first call; 0 if it cannot be loaded, and *error says why. */
int rw_gdal_load(const char **error);

#ifndef RW_GDAL_LOADS
#define CPLAtof rw_gdal.CPLAtof_
#define CPLGetErrorHandlerUserData rw_gdal.CPLGetErrorHandlerUserData_
#define CPLGetFilename rw_gdal.CPLGetFilename_
#define CPLPopErrorHandler rw_gdal.CPLPopErrorHandler_
#define CPLPushErrorHandlerEx rw_gdal.CPLPushErrorHandlerEx_
#define CPLResetExtension rw_gdal.CPLResetExtension_
#define CPLSPrintf rw_gdal.CPLSPrintf_
#define CPLSetThreadLocalConfigOption rw_gdal.CPLSetThreadLocalConfigOption_
#define CPLStrdup rw_gdal.CPLStrdup_
#define CSLAddString rw_gdal.CSLAddString_
#define CSLDestroy rw_gdal.CSLDestroy_
#define GDALAllRegister rw_gdal.GDALAllRegister_
#define GDALClose rw_gdal.GDALClose_
#define GDALCreate rw_gdal.GDALCreate_
#define GDALCreateCopy rw_gdal.GDALCreateCopy_
#define GDALDatasetCommitTransaction rw_gdal.GDALDatasetCommitTransaction_
#define GDALDatasetCreateLayer rw_gdal.GDALDatasetCreateLayer_
#define GDALDatasetGetLayer rw_gdal.GDALDatasetGetLayer_
#define GDALDatasetGetLayerCount rw_gdal.GDALDatasetGetLayerCount_
#define GDALDatasetGetNextFeature rw_gdal.GDALDatasetGetNextFeature_
#define GDALDatasetResetReading rw_gdal.GDALDatasetResetReading_
#define GDALDatasetStartTransaction rw_gdal.GDALDatasetStartTransaction_
#define GDALGetDatasetDriver rw_gdal.GDALGetDatasetDriver_
#define GDALGetDescription rw_gdal.GDALGetDescription_
#define GDALGetDriverByName rw_gdal.GDALGetDriverByName_
#define GDALGetDriverShortName rw_gdal.GDALGetDriverShortName_
#define GDALGetFileList rw_gdal.GDALGetFileList_
#define GDALGetGeoTransform rw_gdal.GDALGetGeoTransform_
#define GDALGetMetadata rw_gdal.GDALGetMetadata_
#define GDALGetMetadataItem rw_gdal.GDALGetMetadataItem_
#define GDALGetRasterBand rw_gdal.GDALGetRasterBand_
#define GDALGetRasterCount rw_gdal.GDALGetRasterCount_
#define GDALGetRasterNoDataValue rw_gdal.GDALGetRasterNoDataValue_
#define GDALGetRasterOffset rw_gdal.GDALGetRasterOffset_
#define GDALGetRasterScale rw_gdal.GDALGetRasterScale_
#define GDALGetRasterUnitType rw_gdal.GDALGetRasterUnitType_
#define GDALGetRasterXSize rw_gdal.GDALGetRasterXSize_
#define GDALGetRasterYSize rw_gdal.GDALGetRasterYSize_
#define GDALGetSpatialRef rw_gdal.GDALGetSpatialRef_
#define GDALIdentifyDriverEx rw_gdal.GDALIdentifyDriverEx_
#define GDALOpen rw_gdal.GDALOpen_
#define GDALOpenEx rw_gdal.GDALOpenEx_
#define GDALRasterIO rw_gdal.GDALRasterIO_
#define GDALSetDescription rw_gdal.GDALSetDescription_
#define GDALSetGeoTransform rw_gdal.GDALSetGeoTransform_
#define GDALSetMetadata rw_gdal.GDALSetMetadata_
#define GDALSetMetadataItem rw_gdal.GDALSetMetadataItem_
#define GDALSetRasterNoDataValue rw_gdal.GDALSetRasterNoDataValue_
#define GDALSetRasterScale rw_gdal.GDALSetRasterScale_
#define GDALSetRasterUnitType rw_gdal.GDALSetRasterUnitType_
#define GDALSetSpatialRef rw_gdal.GDALSetSpatialRef_
#define GDALWarp rw_gdal.GDALWarp_
#define GDALWarpAppOptionsFree rw_gdal.GDALWarpAppOptionsFree_
#define GDALWarpAppOptionsNew rw_gdal.GDALWarpAppOptionsNew_
#define OCTDestroyCoordinateTransformation rw_gdal.OCTDestroyCoordinateTransformation_
#define OCTNewCoordinateTransformation rw_gdal.OCTNewCoordinateTransformation_
#define OCTTransformEx rw_gdal.OCTTransformEx_
#define OGR_FD_GetFieldCount rw_gdal.OGR_FD_GetFieldCount_
#define OGR_FD_GetFieldDefn rw_gdal.OGR_FD_GetFieldDefn_
#define OGR_F_Create rw_gdal.OGR_F_Create_
#define OGR_F_Destroy rw_gdal.OGR_F_Destroy_
#define OGR_F_GetFID rw_gdal.OGR_F_GetFID_
#define OGR_F_GetFieldAsBinary rw_gdal.OGR_F_GetFieldAsBinary_
#define OGR_F_GetFieldAsDouble rw_gdal.OGR_F_GetFieldAsDouble_
#define OGR_F_GetFieldAsInteger64 rw_gdal.OGR_F_GetFieldAsInteger64_
#define OGR_F_GetFieldAsString rw_gdal.OGR_F_GetFieldAsString_
#define OGR_F_GetGeometryRef rw_gdal.OGR_F_GetGeometryRef_
#define OGR_F_IsFieldSetAndNotNull rw_gdal.OGR_F_IsFieldSetAndNotNull_
#define OGR_F_SetFieldBinary rw_gdal.OGR_F_SetFieldBinary_
#define OGR_F_SetFieldDouble rw_gdal.OGR_F_SetFieldDouble_
#define OGR_F_SetFieldInteger64 rw_gdal.OGR_F_SetFieldInteger64_
#define OGR_F_SetFieldString rw_gdal.OGR_F_SetFieldString_
#define OGR_F_SetGeometryDirectly rw_gdal.OGR_F_SetGeometryDirectly_
#define OGR_Fld_Create rw_gdal.OGR_Fld_Create_
#define OGR_Fld_Destroy rw_gdal.OGR_Fld_Destroy_
#define OGR_Fld_GetNameRef rw_gdal.OGR_Fld_GetNameRef_
#define OGR_Fld_GetType rw_gdal.OGR_Fld_GetType_
#define OGR_GT_Flatten rw_gdal.OGR_GT_Flatten_
#define OGR_GT_IsSubClassOf rw_gdal.OGR_GT_IsSubClassOf_
#define OGR_G_AddGeometryDirectly rw_gdal.OGR_G_AddGeometryDirectly_
#define OGR_G_CreateGeometry rw_gdal.OGR_G_CreateGeometry_
#define OGR_G_DestroyGeometry rw_gdal.OGR_G_DestroyGeometry_
#define OGR_G_GetGeometryCount rw_gdal.OGR_G_GetGeometryCount_
#define OGR_G_GetGeometryRef rw_gdal.OGR_G_GetGeometryRef_
#define OGR_G_GetGeometryType rw_gdal.OGR_G_GetGeometryType_
#define OGR_G_GetLinearGeometry rw_gdal.OGR_G_GetLinearGeometry_
#define OGR_G_GetPointCount rw_gdal.OGR_G_GetPointCount_
#define OGR_G_GetPoints rw_gdal.OGR_G_GetPoints_
#define OGR_G_HasCurveGeometry rw_gdal.OGR_G_HasCurveGeometry_
#define OGR_G_Is3D rw_gdal.OGR_G_Is3D_
#define OGR_G_SetPoint rw_gdal.OGR_G_SetPoint_
#define OGR_G_SetPointCount rw_gdal.OGR_G_SetPointCount_
#define OGR_G_SetPoint_2D rw_gdal.OGR_G_SetPoint_2D_
#define OGR_L_CreateFeature rw_gdal.OGR_L_CreateFeature_
#define OGR_L_CreateField rw_gdal.OGR_L_CreateField_
#define OGR_L_GetGeomType rw_gdal.OGR_L_GetGeomType_
#define OGR_L_GetLayerDefn rw_gdal.OGR_L_GetLayerDefn_
#define OGR_L_GetName rw_gdal.OGR_L_GetName_
#define OGR_L_GetNextFeature rw_gdal.OGR_L_GetNextFeature_
#define OGR_L_GetSpatialRef rw_gdal.OGR_L_GetSpatialRef_
#define OGR_L_ResetReading rw_gdal.OGR_L_ResetReading_
#define OGR_L_SetSpatialFilterRect rw_gdal.OGR_L_SetSpatialFilterRect_
#define OSRDemoteTo2D rw_gdal.OSRDemoteTo2D_
#define OSRDestroySpatialReference rw_gdal.OSRDestroySpatialReference_
#define OSRExportToWktEx rw_gdal.OSRExportToWktEx_
#define OSRGetAuthorityCode rw_gdal.OSRGetAuthorityCode_
#define OSRGetAuthorityName rw_gdal.OSRGetAuthorityName_
#define OSRGetLinearUnits rw_gdal.OSRGetLinearUnits_
#define OSRGetName rw_gdal.OSRGetName_
#define OSRIsGeographic rw_gdal.OSRIsGeographic_
#define OSRIsSameEx rw_gdal.OSRIsSameEx_
#define OSRNewSpatialReference rw_gdal.OSRNewSpatialReference_
#define OSRSetAxisMappingStrategy rw_gdal.OSRSetAxisMappingStrategy_
#define OSRSetFromUserInput rw_gdal.OSRSetFromUserInput_
#define VSIFCloseL rw_gdal.VSIFCloseL_
#define VSIFileFromMemBuffer rw_gdal.VSIFileFromMemBuffer_
#define VSIFree rw_gdal.VSIFree_
#define VSIGetMemFileBuffer rw_gdal.VSIGetMemFileBuffer_
#define VSIUnlink rw_gdal.VSIUnlink_
#endif

#endif
