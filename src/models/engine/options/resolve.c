/* The options of a prediction as a caller gives them: whole, with the transmitters that they point to. */
#include "base/options.h"
#include "models/engine/model.h"

rw_status rw_predict_options_resolve(rw_context *context, const rw_predict_options *user_options,
                                     rw_predict_options *options, rw_transmitter **transmitter_buffer)
{
    rw_predict_options_init(options);
    *transmitter_buffer = NULL;
    RW_TRY(RW_RESOLVE(context, user_options, options));
    RW_TRY(rw_predict_options_apply_defaults(context, options));
    if (!options->transmitters)
        options->transmitter_count = 0;
    return rw_transmitters_resolve(context, options->transmitters, options->transmitter_count, &options->transmitters,
                                   transmitter_buffer);
}
